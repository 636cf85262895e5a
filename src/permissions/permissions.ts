import type { BoundSession } from '../endpoints/boundSession.js';
import { getOrCreate } from '../getOrCreate.js';
import type { PermissionAnswers, Permissions, PermissionsOptions, AskFunction } from './PermissionAnswers.js';
import { SessionPermissions } from './SessionPermissions.js';

/**
 * The permissions of a provider's users, for its prop `can`. Create it once, outside React.
 *
 * Components ask with `useCan` and `<Can>`, and so do the widgets. The answers belong to the identity: another user never
 * sees them. They are asked again when the session's user data changes, and after a 403 on what they allowed. They hide
 * what the user may not do; the server has to refuse it.
 *
 * @throws TypeError without `fromUser` and `ask`.
 * @example
 * const can = permissions({
 *   fromUser: (question, user: User | undefined) => user?.role === 'admin' || undefined,
 *   ask: new RestEndpoint({ urlPrefix: api, path: '/permissions', method: 'POST' }),
 * });
 * <TokenAuthProvider session={session} can={can}>…</TokenAuthProvider>
 */
export function permissions<User = unknown>(options: PermissionsOptions<User, AskFunction<User>>): Permissions;
export function permissions<User = unknown>(options: PermissionsOptions<User>): Permissions;
export function permissions<User>(options: PermissionsOptions<User>): Permissions {
  if (!options.fromUser && !options.ask)
    throw new TypeError(
      'permissions() needs a way to answer: give it `fromUser`, a function of the user, or `ask`, an endpoint of the server.',
    );
  const made = new WeakMap<BoundSession, PermissionAnswers>();
  return bound => getOrCreate(made, bound, () => new SessionPermissions(bound, options as PermissionsOptions<unknown>));
}
