import { InvalidCredentialError, SessionExpiredError } from '../errors.js';
import { headerValue } from './headerValue.js';
import { jwtClaims } from './jwtClaims.js';
import { orUndefined } from './orUndefined.js';
import { subjectOf } from './subjectOf.js';
import type { Entry } from '../session/types.js';

/** How long before its expiry a token is renewed, in milliseconds. */
const EXPIRY_MARGIN_MS = 60_000;

/** The tokens of one answer, as the session reads them. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Seconds from now until the access token expires, as OAuth servers tell it. */
  readonly expiresIn?: number | undefined;
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

/** What `refresh` and `logout` are given. */
export interface HeldTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

export interface TokenCredential extends HeldTokens {
  /** When to renew before sending, in milliseconds since 1970; undefined when the expiry is not known. */
  readonly dueAt: number | undefined;
  /** When it expires, in milliseconds since 1970; undefined when that is not known. */
  readonly endsAt: number | undefined;
  /** Who signed in, where the answer told it apart from the token. */
  readonly told: string | undefined;
}

/** How a session reads answers; see the options of the same names. */
export interface TokenReading {
  readonly expiryMargin?: number | undefined;
  readonly token?: ((answer: never) => Tokens) | undefined;
  readonly identify?: ((answer: never) => string | undefined) | undefined;
}

function describe(answer: unknown): string {
  if (answer === null || answer === undefined || answer === '') return 'nothing (an empty answer or 204)';
  return typeof answer === 'object' ? 'an object without it' : `a ${typeof answer}`;
}

function readTokens(answer: unknown, { token }: TokenReading): Tokens {
  const tokens = (token ? orUndefined(() => token(answer as never)) : answer) as Partial<Tokens> | null | undefined;
  if (typeof tokens !== 'object' || tokens?.accessToken === undefined || tokens.accessToken === null) {
    throw new InvalidCredentialError(
      `The server answered ${describe(answer)}, where an object with the string \`accessToken\` was expected. If it names the token otherwise, read it with the session's \`token\` option.`,
    );
  }
  headerValue(tokens.accessToken, 'access token');
  return tokens as Tokens;
}

/** When the token expires, and a margin before it when to renew it; neither when the expiry is unknown or its clock cannot be right. */
function lifetimeOf({ accessToken, expiresIn, expiresAt }: Tokens, { expiryMargin = EXPIRY_MARGIN_MS }: TokenReading, now: number) {
  const { exp } = jwtClaims(accessToken);
  const endsAt = expiresAt ?? (expiresIn === undefined ? exp && exp * 1000 : now + expiresIn * 1000);
  if (endsAt === undefined || !(endsAt > now)) return { endsAt: undefined, dueAt: undefined };
  return { endsAt, dueAt: endsAt - Math.min(expiryMargin, (endsAt - now) / 2) };
}

/**
 * What a login, restore or refresh has answered, as the session holds it.
 *
 * @throws InvalidCredentialError when there is no token in it, or one that no header can carry.
 */
export function tokenEntry<User>(answer: unknown, reading: TokenReading, now: number): Entry<TokenCredential, User> {
  const tokens = readTokens(answer, reading);
  const told = reading.identify?.(answer as never) ?? subjectOf(answer);
  return {
    credential: { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken, ...lifetimeOf(tokens, reading, now), told },
    user: (answer as { user?: User }).user,
    subject: told ?? jwtClaims(tokens.accessToken).sub ?? nobodyElse(now),
  };
}

/** Stands for a person whom no answer tells: every login is a new identity then, and other tabs can tell it apart too. */
function nobodyElse(now: number): string {
  return `sign-in ${now} ${Math.random()}`;
}

/**
 * What a refresh has answered. It may tell less than the login did, or tell the person otherwise (by the token's `sub`
 * alone), so each source is held against the same source of before.
 *
 * @throws SessionExpiredError when it speaks of another person; InvalidCredentialError as `tokenEntry` does.
 */
export function renewedEntry<User>(answer: unknown, held: Entry<TokenCredential, User>, reading: TokenReading, now: number): Entry<TokenCredential, User> {
  const tokens = readTokens(answer, reading);
  const { identify } = reading;
  const { accessToken, refreshToken, told } = held.credential;
  const toldNow = identify ? orUndefined(() => identify(answer as never)) : subjectOf(answer);
  const differ = (before: string | undefined, after: string | undefined) => before !== undefined && after !== undefined && before !== after;
  if (differ(told, toldNow) || differ(jwtClaims(accessToken).sub, jwtClaims(tokens.accessToken).sub)) throw new SessionExpiredError();
  return { ...held, credential: { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken ?? refreshToken, ...lifetimeOf(tokens, reading, now), told } };
}

/**
 * An entry as a storage gave it back.
 *
 * @throws TypeError or InvalidCredentialError when it is not one that a session has kept.
 */
export function keptEntry<User>(kept: unknown): Entry<TokenCredential, User> {
  const { credential, user, subject } = kept as Entry<TokenCredential, User>;
  const { accessToken, refreshToken, dueAt, endsAt, told } = credential;
  headerValue(accessToken, 'access token');
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const time = (value: unknown) => (typeof value === 'number' ? value : undefined);
  if (typeof subject !== 'string') throw new TypeError('What was kept does not tell whose it is.');
  return {
    credential: { accessToken, refreshToken: text(refreshToken), dueAt: time(dueAt), endsAt: time(endsAt), told: text(told) },
    user,
    subject,
  };
}

/** The tokens as an argument that can be destructured, but not enumerated beyond what a server is meant to get. */
export function handOver({ accessToken, refreshToken }: HeldTokens, enumerable: boolean): HeldTokens {
  return Object.defineProperties({} as HeldTokens, {
    accessToken: { value: accessToken },
    refreshToken: { value: refreshToken, enumerable },
  });
}
