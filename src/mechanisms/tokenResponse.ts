import { InvalidCredentialError, SessionExpiredError } from '../errors.js';
import type { SignedIn } from '../session/signedIn.js';
import { assertHeaderSafe } from './assertHeaderSafe.js';
import { attempt } from './attempt.js';
import { jwtClaims } from './jwtClaims.js';
import { subjectOf } from './subjectOf.js';

/** How long before its expiry a token is refreshed, in milliseconds. */
const EXPIRY_MARGIN_MS = 60_000;

/** The tokens of one answer, as the session reads them. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Seconds from now until the access token expires, as OAuth servers answer. */
  readonly expiresIn?: number | undefined;
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

/** The current tokens, as `refresh` and `logout` get them. */
export interface CurrentTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

/** What `refresh` gets: the current tokens, and a signal. */
export interface RefreshArgument extends CurrentTokens {
  /** Aborted when the user signs out or another one signs in: nothing waits for the answer any more. Not enumerable. */
  readonly signal: AbortSignal;
}

export interface TokenCredential extends CurrentTokens {
  /** When to refresh before sending, in milliseconds since 1970; undefined when the expiry is not known. */
  readonly refreshAt: number | undefined;
  /** When the access token expires, in milliseconds since 1970; undefined when that is not known. */
  readonly expiresAt: number | undefined;
  /** The subject that the answer named apart from the token; undefined when it named none. */
  readonly answeredSubject: string | undefined;
}

/** How a session reads answers; see the options of the same names. */
export interface TokenParsers {
  readonly refreshBeforeExpiry?: number | undefined;
  readonly parseTokens?: ((answer: never) => TokenResponse) | undefined;
  readonly getSubject?: ((answer: never) => string | undefined) | undefined;
}

function describe(answer: unknown): string {
  if (answer === null || answer === undefined || answer === '') return 'nothing (an empty answer or 204)';
  return typeof answer === 'object' ? 'an object without it' : `a ${typeof answer}`;
}

function readTokens(answer: unknown, { parseTokens }: TokenParsers): TokenResponse {
  const tokens = (parseTokens ? attempt(() => parseTokens(answer as never)) : answer) as
    Partial<TokenResponse> | null | undefined;
  if (typeof tokens !== 'object' || tokens?.accessToken === undefined || tokens.accessToken === null) {
    throw new InvalidCredentialError(
      `The server answered ${describe(answer)}, where an object with the string \`accessToken\` was expected. If it names the token otherwise, read it with the session's \`parseTokens\` option.`,
    );
  }
  assertHeaderSafe(tokens.accessToken, 'access token');
  return tokens as TokenResponse;
}

/**
 * When the token expires, and a margin before that when to refresh it. Neither, when the expiry is unknown or has
 * passed by this computer's clock.
 */
function lifetimeOf(
  { accessToken, expiresIn, expiresAt: given }: TokenResponse,
  { refreshBeforeExpiry = EXPIRY_MARGIN_MS }: TokenParsers,
  now: number,
) {
  const { exp } = jwtClaims(accessToken);
  const expiresAt = given ?? (expiresIn === undefined ? exp && exp * 1000 : now + expiresIn * 1000);
  if (expiresAt === undefined || !(expiresAt > now)) return { expiresAt: undefined, refreshAt: undefined };
  return { expiresAt, refreshAt: expiresAt - Math.min(refreshBeforeExpiry, (expiresAt - now) / 2) };
}

/**
 * Reads what a login or restore has answered.
 *
 * @throws InvalidCredentialError when there is no token in it, or one that no header can carry.
 */
export function parseTokenResponse<User>(
  answer: unknown,
  parsers: TokenParsers,
  now: number,
): SignedIn<TokenCredential, User> {
  const tokens = readTokens(answer, parsers);
  const answeredSubject = parsers.getSubject?.(answer as never) ?? subjectOf(answer);
  return {
    credential: {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken,
      ...lifetimeOf(tokens, parsers, now),
      answeredSubject,
    },
    user: (answer as { user?: User }).user,
    subject: answeredSubject ?? jwtClaims(tokens.accessToken).sub ?? randomSubject(now),
  };
}

/** For a user whom no answer names: every login is a new identity then, and other tabs can tell it apart too. */
function randomSubject(now: number): string {
  return `sign-in ${now} ${Math.random()}`;
}

const UNNAMED_REFRESH =
  "The refresh sent no refresh token, and its answer does not name the user: the cookie that it used may be another user's by now. Let the answer name the user as the login does (`subject`, `user`, or a JWT with `sub`), or read it with the session's `getSubject` option.";

/**
 * Reads what a refresh has answered. It may name less than the login did, or name the user otherwise (by the token's `sub`
 * alone), so each source is compared with the same source of before.
 *
 * A refresh token in the body is proof of the user too. A cookie is not: another tab may have exchanged it. So an
 * answer to a cookie has to name the user whom the sign-in named.
 *
 * @throws SessionExpiredError when it names another user; InvalidCredentialError as `parseTokenResponse` does, and
 * when nothing proves the user.
 */
export function parseRefreshResponse<User>(
  answer: unknown,
  current: SignedIn<TokenCredential, User>,
  parsers: TokenParsers,
  now: number,
): SignedIn<TokenCredential, User> {
  const tokens = readTokens(answer, parsers);
  const { getSubject } = parsers;
  const { accessToken, refreshToken, answeredSubject } = current.credential;
  const subject = getSubject ? attempt(() => getSubject(answer as never)) : subjectOf(answer);
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
  if (refreshToken === undefined && wasNamed && !isNamed) throw new InvalidCredentialError(UNNAMED_REFRESH);
  const lifetime = lifetimeOf(tokens, parsers, now);
  return {
    ...current,
    credential: {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken ?? refreshToken,
      ...lifetime,
      answeredSubject,
    },
  };
}

/**
 * Reads a sign-in that a storage gave back.
 *
 * @throws TypeError or InvalidCredentialError when it is not one that a session has stored.
 */
export function parseStoredSession<User>(stored: unknown): SignedIn<TokenCredential, User> {
  const { credential, user, subject, signInId } = stored as SignedIn<TokenCredential, User>;
  const { accessToken, refreshToken, refreshAt, expiresAt, answeredSubject } = credential;
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
    },
    user,
    subject,
    signInId: text(signInId),
  };
}

/** The tokens as an argument that can be destructured, but not enumerated beyond what a server is meant to get. */
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
