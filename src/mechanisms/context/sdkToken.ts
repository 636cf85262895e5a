import type { Clock } from '../../clock.js';
import { IdentityChangedError } from '../../errors.js';
import type { AuthChallenge } from '../../session/challenges/challenge.js';
import { jwtClaims } from '../jwtClaims.js';
import { rejectionAsExpired } from '../refusals.js';
import { SharedCall } from './SharedCall.js';
import type { TokenOwners } from './TokenOwners.js';

/**
 * Returns the token of an SDK. With `forceRefresh` the SDK must not use its cache.
 *
 * While `subject` names a user, null or undefined means that no token is available: the request rejects with
 * `RefreshUnavailableError`, and the user stays signed in. Without `subject`, it means that no user is signed in.
 *
 * A rejection with status 400, 401 or 403, with an OAuth error that needs a new sign-in (such as `login_required`), with Clerk's
 * “Session not found”, or with `SessionExpiredError` ends the session, except while the user answers a challenge. After any other
 * rejection, or without a token within 10 seconds, the request rejects with `RefreshUnavailableError`.
 */
export type GetToken = (options: GetTokenOptions) => Promise<string | null | undefined>;

export interface GetTokenOptions {
  /** True after a 401, and when the token may belong to another user: the SDK must not use its cache. */
  readonly forceRefresh: boolean;
  /**
   * What the server asks of the user, when the user answers a challenge of a session with `stepUp()`: the SDK asks the user, and gets a
   * token with these `acrValues`, `maxAge` or `scope`. Then `forceRefresh` is true.
   */
  readonly challenge?: AuthChallenge | undefined;
}

/** State that lasts while `subject` stays the same: the pending fresh token. */
type SubjectPeriod = { fresh?: SharedCall<string | undefined> };

/** The props about the SDK, and the tokens that it gave so far. */
export interface SdkState {
  props: { readonly getToken?: GetToken | undefined; readonly subject?: string | null | undefined };
  period: SubjectPeriod;
  readonly owners: TokenOwners;
  readonly clock: Clock;
}

const NO_TOKEN =
  'getToken gave no token while `subject` names a user, so the request was not sent. To sign the user out, pass `subject={null}`.';
const NO_ANSWER =
  'This session cannot answer a challenge: its provider has a `token` only. Give ContextTokenProvider `getToken`, which gets the challenge, or give stepUp() the option `answer`.';
export const OTHER_USERS_TOKEN =
  'The SDK gave a token that belongs to another user than `subject` names, so the request was not sent. If this continues, pass the user id of the SDK as `subject` to ContextTokenProvider: one id for each user.';

/** Returns true if the token may be sent for the user of the props, and notes that it belongs to that user. */
export function acceptToken(token: string, { owners, props: { subject } }: SdkState): boolean {
  if (typeof subject !== 'string') return true;
  if (owners.ownerOf(token, subject) === 'other') return false;
  owners.addToken(token, subject);
  return true;
}

/** Returns true if the session should ask for a fresh token, because this JWT may belong to another user. */
function isDoubtful(token: string, { owners, props: { subject } }: SdkState): boolean {
  return typeof subject === 'string' && jwtClaims(token).sub !== undefined && owners.ownerOf(token, subject) !== 'own';
}

/**
 * Gets the SDK's token for the user of the props. Resolves with undefined only if no `subject` names a user.
 *
 * @throws IdentityChangedError when the props name another user when the token arrives; Error when no token is
 * available; TypeError when there is no `getToken` to answer a challenge.
 */
export async function fetchToken(
  state: SdkState,
  forceRefresh: boolean,
  challenge?: AuthChallenge,
): Promise<string | undefined> {
  const { period, props } = state;
  if (challenge && !props.getToken) throw new TypeError(NO_ANSWER);
  // A user who does not answer a challenge stays signed in.
  const given = challenge
    ? props.getToken?.({ forceRefresh, challenge })
    : props.getToken && rejectionAsExpired(props.getToken({ forceRefresh }));
  const token = (await given) || undefined;
  if (state.period !== period) throw new IdentityChangedError();
  if (token === undefined && typeof props.subject === 'string') throw new Error(NO_TOKEN);
  if (token === undefined) return undefined;
  if (!forceRefresh && isDoubtful(token, state)) return fetchFreshToken(state);
  if (!acceptToken(token, state)) throw new Error(OTHER_USERS_TOKEN);
  return token;
}

/** Gets a fresh token, once for all requests whose token is in doubt. */
function fetchFreshToken(state: SdkState): Promise<string | undefined> {
  const { period, clock } = state;
  period.fresh ??= new SharedCall(clock);
  return period.fresh.join(() => fetchToken(state, true));
}

/** Requests of one subject at the same time share one call, so a loader and ten widgets ask the SDK once. */
export function shareCalls(getToken: GetToken, getSubject: () => string | undefined, clock: Clock): GetToken {
  let shared:
    { readonly subject: string | undefined; readonly call: SharedCall<string | null | undefined> } | undefined;
  return async options => {
    if (options.forceRefresh) return getToken(options);
    const subject = getSubject();
    if (!shared || shared.subject !== subject) shared = { subject, call: new SharedCall(clock) };
    return shared.call.join(() => getToken(options));
  };
}
