import { isDevelopment } from '../isDevelopment.js';
import { warnOnce } from '../warnOnce.js';
import type { SdkSessionOptions } from './SdkSessionOptions.js';
import type { UserOption } from '../session/userClass.js';
import type { CookieSessionOptions } from './CookieSessionOptions.js';
import type { TokenSessionOptions } from './TokenSessionOptions.js';

type Names<Options> = Readonly<Record<keyof (Options & UserOption<unknown>), true>>;

/** The options of each kind of session. */
const known = {
  createTokenSession: {
    extensions: true,
    login: true,
    refresh: true,
    logout: true,
    restore: true,
    parseTokens: true,
    isRefused: true,
    profile: true,
    user: true,
    header: true,
    trustedOrigins: true,
    storage: true,
    timeout: true,
    clock: true,
    server: true,
  } satisfies Names<TokenSessionOptions<[], unknown>>,
  createCookieSession: {
    extensions: true,
    login: true,
    whoami: true,
    user: true,
    logout: true,
    initial: true,
    csrf: true,
    credentials: true,
    getSubject: true,
    verifyResponse: true,
    trustedOrigins: true,
    tabs: true,
    timeout: true,
    clock: true,
    server: true,
  } satisfies Names<CookieSessionOptions<[], unknown>>,
  createSdkSession: {
    extensions: true,
    getToken: true,
    subject: true,
    user: true,
    subscribe: true,
    profile: true,
    header: true,
    trustedOrigins: true,
    clock: true,
    server: true,
  } satisfies Names<SdkSessionOptions>,
};

/** Warns of options that a session does not know: TypeScript says so, JavaScript does not. Call it in development only. */
function warnOfUnknown(caller: keyof typeof known, options: object): void {
  const names = Object.keys(known[caller]);
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const [closest] = names.map(other => ({ other, steps: distance(name, other) })).sort((a, b) => a.steps - b.steps);
    const advice = closest!.steps <= 3 ? `Did you mean \`${closest!.other}\`?` : `It has: ${names.join(', ')}.`;
    warnOnce(`${caller}() has no option \`${name}\`, so it is ignored. ${advice}`);
  }
}

/** How many letters have to be added, left out or exchanged, whatever their case is. */
function distance(a: string, b: string): number {
  const [from, to] = [a.toLowerCase(), b.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[to.length]!;
}

interface Requirement {
  /** The function of the kit that the options are for. */
  readonly caller: string;
  /** The functions that the options must have. */
  readonly required: readonly string[];
  /** The call with all of them, as a user would write it. */
  readonly example: string;
}

/**
 * Checks the options of a session.
 *
 * @throws TypeError when one of the required functions is missing. The message has the line to write.
 */
export function assertFunctions(options: unknown, { caller, required, example }: Requirement): void {
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  const missing = required.filter(name => typeof given[name] !== 'function');
  if (missing.length === 0) {
    if (isDevelopment && caller in known) warnOfUnknown(caller as keyof typeof known, given);
    return;
  }
  const names = missing.map(name => `\`${name}\``).join(' and ');
  throw new TypeError(
    `${caller}() needs ${missing.length > 1 ? 'functions' : 'a function'} ${names}. Write it as ${example}.`,
  );
}
