import { DEFAULT_TIMEOUT_MS, untilAborted, withTimeout } from '../../clock.js';
import { IdentityChangedError, SessionExpiredError } from '../../errors.js';
import {
  isIdentityUnknown,
  setProps,
  signedInWith,
  signInFromProps,
  type ContextSignedIn,
  type ContextState,
  type ContextToken,
} from './contextSignIn.js';
import { jwtClaims } from '../jwtClaims.js';
import { rejectionAsSignedOut } from '../refusals.js';
import { fetchToken, OTHER_USERS_TOKEN } from './sdkToken.js';

/** An SDK that is asked who its user is, where no component above passes that as a prop. */
export interface SubjectSource {
  /** Returns the subject if the SDK knows it now, null if no user is signed in, else undefined. */
  read(): string | null | undefined;
  /** Waits until the SDK knows. */
  find(signal?: AbortSignal): Promise<string | null>;
}

/** @throws SessionExpiredError when only the SDK knows who is signed in, and has no token. */
export async function refreshedBySdk(state: ContextState): Promise<ContextSignedIn> {
  const token = await fetchToken(state, true);
  if (token === undefined) throw new SessionExpiredError();
  return signedInWith(token, state);
}

/** Returns who is signed in according to the SDK; undefined if no user is. */
export async function restoredBySdk(state: ContextState): Promise<ContextSignedIn | undefined> {
  const token = await rejectionAsSignedOut(fetchToken(state, false));
  return token === undefined ? undefined : signedInWith(token, state);
}

const SLOW_SUBJECT = `The SDK has not said within ${DEFAULT_TIMEOUT_MS} ms who is signed in.`;

/**
 * Returns who is signed in according to the source; undefined if no user is. An answer that comes after the timeout changes nothing here: the
 * source then reports it.
 *
 * @throws TimeoutError when the source does not answer in time.
 */
export async function foundBySource(
  source: SubjectSource,
  state: ContextState,
  signal?: AbortSignal,
): Promise<ContextSignedIn | undefined> {
  const search = new AbortController();
  const timeout = () => new DOMException(SLOW_SUBJECT, 'TimeoutError');
  const found = withTimeout(state.clock, DEFAULT_TIMEOUT_MS, source.find(search.signal), timeout);
  const subject = await (signal ? untilAborted(signal, found) : found).finally(() => search.abort());
  setProps(state, { ...state.props, subject });
  return signInFromProps(state);
}

/**
 * Takes over the user whom the source names, with a fresh token. Until there is one, the session and its requests are those of the user
 * before.
 *
 * @throws SessionExpiredError when no user is signed in; IdentityChangedError when the SDK has reported another user since.
 */
export async function signedInBySource(source: SubjectSource, state: ContextState): Promise<ContextSignedIn> {
  const { period } = state;
  const subject = await source.find();
  if (subject === null) throw new SessionExpiredError();
  const isSame = subject === state.props.subject;
  const next: ContextState = isSame ? state : { ...state, props: { ...state.props, subject }, period: {} };
  state.owners.addUser(subject);
  const signedIn = await refreshedBySdk(next);
  if (state.period !== period) throw new IdentityChangedError();
  setProps(state, next.props);
  state.user = next.user;
  return signedIn;
}

/**
 * Returns the current token. If only the SDK knows who is signed in, and it is another user now, adopts that user.
 *
 * @param owner The subject of the session's user. The props are ahead of the session while a sign-in is about to be taken over.
 */
export async function readToken(
  current: ContextToken,
  state: ContextState,
  owner: string | undefined,
  adopt: (signedIn: ContextSignedIn) => void,
): Promise<ContextToken | undefined> {
  if (!state.props.getToken && current.token === undefined) throw new Error(OTHER_USERS_TOKEN);
  if (!state.props.getToken) return current;
  const token = await fetchToken(state, false);
  const { subject } = state.props;
  if (owner !== undefined && subject !== undefined && subject !== owner) throw new Error(OTHER_USERS_TOKEN);
  if (token === undefined) return undefined;
  const signedIn = signedInWith(token, state);
  if (isIdentityUnknown(state.props) && signedIn.subject !== jwtClaims(current.token).sub) adopt(signedIn);
  return signedIn.credential;
}
