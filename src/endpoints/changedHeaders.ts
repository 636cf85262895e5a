import { warnOnce } from '../warnOnce.js';
import { plainHeaders } from './headers.js';
import { splitInit, type AuthInit } from './useAuthInit.js';

/**
 * Warns when a component has got another value of a header, and its screen has stayed: the store finds data by its address, so the screen
 * still shows what was fetched with the former value. Call it in development only.
 *
 * Without a session, nothing is said: there the header may be the credential.
 */
export function warnOfChangedHeaders(before: AuthInit, after: AuthInit): void {
  const { bound } = splitInit(after);
  if (!bound || splitInit(before).bound !== bound) return;
  const former = plainHeaders(before.headers);
  for (const [name, value] of Object.entries(plainHeaders(after.headers))) {
    if (former[name] === undefined || former[name] === value) continue;
    warnOnce(
      `The header ${name}, which a useInit of hookifyResource() returns, has changed, and the screen has stayed. Data is found by its address, so what was fetched with the former value is still shown and changed. If the header selects the data, as one that names an organization does, give the provider a \`key\` that changes with it. See “Organizations of one user” in the guide “Switching users”.`,
    );
  }
}
