import type { Clock } from '../clock.js';
import { IdentityChangedError } from '../errors.js';
import { jwtClaims } from './jwtClaims.js';
import { rejectionAsExpired } from './refusals.js';
import type { TokenOwners } from './TokenOwners.js';

/** How long an SDK may take to give a token, in milliseconds. */
export const TIMEOUT_MS = 10_000;

/**
 * Asks an SDK for the token; `forceRefresh` asks it to go past its own cache.
 *
 * Null or undefined means “not now” while `subject` names a user: the request that asked rejects with `RefreshUnavailableError`,
 * and the user stays signed in. Where `subject` is left out, it means that no user is signed in.
 */
export type GetToken = (options: { forceRefresh: boolean }) => Promise<string | null | undefined>;

/** The time during which `subject` stays the same, and the fresh token that was asked for in it. */
type Period = { fresh?: { readonly token: Promise<string | undefined>; readonly askedAt: number } };

/** What a component above says of its SDK, and what the SDK gave so far. */
export interface SdkState {
  props: { readonly getToken?: GetToken | undefined; readonly subject?: string | null | undefined };
  period: Period;
  readonly owners: TokenOwners;
  readonly clock: Clock;
}

const NO_TOKEN =
  'getToken gave no token while `subject` names a user, so the request was not sent. A user who signs out needs `subject` to be null.';
export const OTHER_USERS_TOKEN =
  'The SDK gave a token that belongs to another user than `subject` names, so the request was not sent. Where this lasts, give ContextTokenProvider as `subject` the user id that the SDK knows: one for each user.';

/** Whether the token may be sent for the user of the props. It is that user's from then on. */
export function acceptToken(token: string, { owners, props: { subject } }: SdkState): boolean {
  if (typeof subject !== 'string') return true;
  if (owners.ownerOf(token, subject) === 'other') return false;
  owners.addToken(token, subject);
  return true;
}

/** Whether a token past the SDK's cache would tell more. One that is not a JWT tells nothing, fresh or not. */
function isDoubtful(token: string, { owners, props: { subject } }: SdkState): boolean {
  return typeof subject === 'string' && jwtClaims(token).sub !== undefined && owners.ownerOf(token, subject) !== 'own';
}

/**
 * The SDK's token, for the user of the props. Undefined only where no `subject` names a user.
 *
 * @throws IdentityChangedError when the props name another user by the time of the answer; Error for “not now”.
 */
export async function fetchToken(state: SdkState, forceRefresh: boolean): Promise<string | undefined> {
  const { period, props } = state;
  const token = (props.getToken && (await rejectionAsExpired(props.getToken({ forceRefresh })))) || undefined;
  if (state.period !== period) throw new IdentityChangedError();
  if (token === undefined && typeof props.subject === 'string') throw new Error(NO_TOKEN);
  if (token === undefined) return undefined;
  if (!forceRefresh && isDoubtful(token, state)) return fetchFreshToken(state);
  if (!acceptToken(token, state)) throw new Error(OTHER_USERS_TOKEN);
  return token;
}

/** Asks the SDK past its cache, once for all requests whose token is in doubt. Later requests do not join a call that has timed out. */
function fetchFreshToken(state: SdkState): Promise<string | undefined> {
  const { period, clock } = state;
  const askedAt = clock.now();
  if (!period.fresh || askedAt - period.fresh.askedAt >= TIMEOUT_MS) {
    const token = fetchToken(state, true).finally(() => delete period.fresh);
    period.fresh = { token, askedAt };
  }
  return period.fresh.token;
}
