import { InvalidCredentialError, SessionExpiredError } from '../errors.js';
import { isDevelopment } from '../isDevelopment.js';
import type { SignedIn } from '../session/mechanism.js';
import type { SignIn } from '../session/state.js';
import { warnOnce } from '../warnOnce.js';
import { assertHeaderSafe } from './assertHeaderSafe.js';
import { jwtClaims } from './jwtClaims.js';
import { readTokens, type ParsedTokens, type TokenResponse } from './readTokens.js';
import { subjectOf } from './subjectOf.js';

/** How long before its expiry a token is refreshed, in milliseconds. */
const EXPIRY_MARGIN_MS = 60_000;

/** If less is left of a token's lifetime, in milliseconds, then the system clock is wrong, or the server is. */
const MIN_LIFETIME_MS = 1_000;

/** The current tokens, as passed to `refresh` and `logout`. */
export interface CurrentTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

/** The argument of `refresh`: the current tokens, and a signal. */
export interface RefreshArgument extends CurrentTokens {
  /** Aborted when another user signs in. A sign-out waits for the result, to end it on the server too. Not enumerable. */
  readonly signal: AbortSignal;
}

export interface TokenCredential extends CurrentTokens {
  /** When to refresh before sending, in milliseconds since 1970; undefined when the expiry is not known. */
  readonly refreshAt: number | undefined;
  /** When the access token expires, in milliseconds since 1970; undefined when that is not known. */
  readonly expiresAt: number | undefined;
  /** The subject that the response named beside the token; undefined when it named none. */
  readonly answeredSubject: string | undefined;
  /** True if the user wants to stay signed in after the tab is closed; see `RememberedStorage`. A refresh keeps it. */
  readonly isRemembered?: boolean | undefined;
}

/** How a session reads results; see the options of the same names. */
export interface TokenParsers {
  readonly beforeExpiry?: number | undefined;
  readonly parseTokens?: ((result: unknown) => ParsedTokens) | undefined;
}

/**
 * Returns when the token expires, and when to refresh it before that. Both are undefined when the expiry is unknown, or
 * has passed by the system clock, or is about to.
 */
function lifetimeOf(
  { accessToken, expiresIn, expiresAt: given }: TokenResponse,
  { beforeExpiry = EXPIRY_MARGIN_MS }: TokenParsers,
  now: number,
) {
  const { exp = NaN } = jwtClaims(accessToken);
  const expiresAt = given ?? (expiresIn === undefined ? exp * 1000 : now + expiresIn * 1000);
  if (isDevelopment && given !== undefined) warnOfExpiresAt(given);
  else if (isDevelopment && expiresIn !== undefined) warnOfExpiresIn(expiresIn, accessToken);
  if (!(expiresAt - now >= MIN_LIFETIME_MS)) return { expiresAt: undefined, refreshAt: undefined };
  return { expiresAt, refreshAt: expiresAt - Math.min(beforeExpiry, (expiresAt - now) / 2) };
}

/** In milliseconds, this is in 1973; in seconds, it is in the year 5138. */
const MIN_EXPIRY_MS = 1e11;

/** Call it in development only. */
function warnOfExpiresAt(expiresAt: unknown): void {
  if (typeof expiresAt === 'number' && !(expiresAt < MIN_EXPIRY_MS)) return;
  warnOnce(
    "The `expiresAt` of the tokens is not a time in milliseconds since 1970, so no token is refreshed before it expires. Read it with the session's `parseTokens` option: multiply seconds by 1000, and read a text by Date.parse().",
  );
}

/** A lifetime of 5, 10 or 15 minutes in milliseconds is a multiple of this. In seconds, 30, 90 and 365 days are no multiples of it. */
const FIVE_MINUTES_MS = 300_000;
/** More is meant as “never”. In milliseconds it is 11 days. */
const MAX_MS = 1e9;

/** Call it in development only. A JWT that says its lifetime decides. Servers may send the lifetime of the refresh token in its place. */
function warnOfExpiresIn(expiresIn: number, accessToken: string): void {
  const seconds = secondsToLive(accessToken);
  const isRoundMs = expiresIn > 0 && expiresIn <= MAX_MS && expiresIn % FIVE_MINUTES_MS === 0;
  const isInMs = seconds === undefined ? isRoundMs : Math.abs(expiresIn / seconds - 1000) < 50;
  if (!isInMs) return;
  warnOnce(
    `The \`expiresIn\` (or \`expires_in\`) of the tokens is ${expiresIn}, which seems to be in milliseconds. The session reads seconds, so no token is refreshed before it expires. Let the server answer seconds, or divide by 1000 in the session's \`parseTokens\` option.`,
  );
}

/**
 * The lifetime of a new JWT in seconds, by the server's clock alone: the system clock may be wrong.
 *
 * As the time that is left, only for the result of a refresh: a login or restore may return a token that was issued long ago.
 */
function secondsToLive(accessToken: string): number | undefined {
  const { iat = NaN, exp = NaN } = jwtClaims(accessToken);
  return exp > iat ? exp - iat : undefined;
}

/**
 * Reads the result of a login or restore.
 *
 * @throws InvalidCredentialError when it has no token, or a token that no header can carry.
 */
export function parseTokenResponse<User>(
  result: unknown,
  parsers: TokenParsers,
  now: number,
): SignedIn<TokenCredential, User> {
  const tokens = readTokens(result, parsers.parseTokens);
  const answeredSubject = tokens.named?.subject ?? subjectOf(result);
  return {
    credential: {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken,
      ...lifetimeOf(tokens, parsers, now),
      answeredSubject,
    },
    user: (result as { user?: User }).user,
    tenant: jwtClaims(tokens.accessToken).tenant,
    subject: answeredSubject ?? jwtClaims(tokens.accessToken).sub ?? randomSubject(now),
  };
}

/** The subject of a user without a name: every login is then a new identity, in other tabs too. */
function randomSubject(now: number): string {
  return `sign-in ${now} ${Math.random()}`;
}

const UNNAMED_REFRESH =
  "The refresh went with a cookie, which may be another user's by now, and its answer does not name the user. Let it name the user as the login does (`subject`, `user`, or a JWT with `sub`), or read it with the session's `parseTokens` option.";

/**
 * Reads the result of a refresh. It may name the user in fewer ways than the login did (only by the token's `sub`), so
 * each source is compared with the previous value of the same source.
 *
 * A refresh token in the body proves the user too. A cookie does not: another tab may have replaced it. So the result
 * of a refresh by a cookie must name the user that the sign-in named.
 *
 * @param isProven True if a token that was sent proves the user.
 * @throws SessionExpiredError when it names another user; InvalidCredentialError as `parseTokenResponse` does, and when
 * it does not prove the user.
 */
export function parseRefreshResponse<User>(
  result: unknown,
  current: SignedIn<TokenCredential, User>,
  parsers: TokenParsers,
  now: number,
  isProven = current.credential.refreshToken !== undefined,
): SignedIn<TokenCredential, User> {
  const tokens = readTokens(result, parsers.parseTokens);
  const { accessToken, refreshToken, answeredSubject, isRemembered } = current.credential;
  const { subject } = tokens.named ?? { subject: subjectOf(result) };
  const sources = [
    [answeredSubject, subject],
    [jwtClaims(accessToken).sub, jwtClaims(tokens.accessToken).sub],
  ] as const;
  if (sources.some(([before, after]) => before !== undefined && after !== undefined && before !== after))
    throw new SessionExpiredError();
  const wasNamed = sources.some(([before]) => before !== undefined);
  const isNamed = sources.some(
    ([before, after]) => after !== undefined && (after === before || after === current.subject),
  );
  if (!isProven && wasNamed && !isNamed) throw new InvalidCredentialError(UNNAMED_REFRESH);
  const { expiresIn = secondsToLive(tokens.accessToken) } = tokens;
  return {
    ...current,
    user: (result as { user?: User } | null)?.user ?? current.user,
    tenant: jwtClaims(tokens.accessToken).tenant,
    credential: {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken ?? refreshToken,
      ...lifetimeOf({ ...tokens, expiresIn }, parsers, now),
      answeredSubject,
      isRemembered,
    },
  };
}

/**
 * Reads a stored sign-in.
 *
 * @throws TypeError or InvalidCredentialError when it is not one that a session has stored.
 */
export function parseStoredSession(stored: unknown): { credential: TokenCredential; signIn: SignIn<unknown> } {
  const { credential, user, subject } = stored as SignedIn<TokenCredential, unknown>;
  const { accessToken, refreshToken, refreshAt, expiresAt, answeredSubject, isRemembered } = credential;
  assertHeaderSafe(accessToken, 'access token');
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const time = (value: unknown) => (typeof value === 'number' ? value : undefined);
  if (typeof subject !== 'string') throw new TypeError('The stored sign-in does not name its user.');
  return {
    credential: {
      accessToken,
      refreshToken: text(refreshToken),
      refreshAt: time(refreshAt),
      expiresAt: time(expiresAt),
      answeredSubject: text(answeredSubject),
      isRemembered: isRemembered === true,
    },
    signIn: { subject, user, tenant: jwtClaims(accessToken).tenant },
  };
}

/** Returns the tokens as an argument that can be destructured. Only a refresh token for the server is enumerable. */
export function toTokenArgument(
  { accessToken, refreshToken }: CurrentTokens,
  isRefreshTokenEnumerable: boolean,
): CurrentTokens {
  return Object.defineProperties({} as CurrentTokens, {
    accessToken: { value: accessToken },
    refreshToken: { value: refreshToken, enumerable: isRefreshTokenEnumerable },
  });
}

/** The argument of `refresh`. Only the refresh token is enumerable, so an endpoint that gets the argument as its body posts that alone. */
export function toRefreshArgument(tokens: CurrentTokens, signal: AbortSignal): RefreshArgument {
  return Object.defineProperty(toTokenArgument(tokens, true) as RefreshArgument, 'signal', { value: signal });
}
