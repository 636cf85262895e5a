import { LogoutUnconfirmedError } from '../errors.js';
import type { SignOutReason } from './session.js';
import type { SessionEvent } from './sessionEvent.js';
import { isSameUser, type SignedIn } from './signedIn.js';
import { ownerOf, type SessionState } from './state.js';

/** The next state. The same object when the event changes nothing. */
export function transition<Credential, User>(
  state: SessionState<Credential, User>,
  event: SessionEvent<Credential, User>,
): SessionState<Credential, User> {
  switch (event.type) {
    case 'signed-in':
      return isSameUser(ownerOf(state), event.signedIn)
        ? withCredential(state, event.signedIn)
        : nextEpoch(state, { status: 'authenticated', reason: undefined, signedIn: event.signedIn });
    case 'restored':
      return restored(state, event);
    case 'credential-replaced':
      return state.status === 'authenticated'
        ? { ...withCredential(state, event.signedIn), error: state.error }
        : state;
    case 'signed-out':
      return signedOut(state, event.reason, event.locks);
    case 'end-explained':
      return state.status === 'anonymous' && state.reason === 'elsewhere' ? { ...state, reason: event.reason } : state;
    case 'failed':
      return {
        ...state,
        error: event.error,
        unconfirmed: hasLeft(state) && event.error instanceof LogoutUnconfirmedError ? 'logout' : state.unconfirmed,
      };
    case 'logout-unconfirmed':
      return hasLeft(state) && state.unconfirmed !== 'logout' ? { ...state, unconfirmed: 'logout' } : state;
    case 'logout-confirmed':
      return state.unconfirmed ? { ...state, error: undefined, unconfirmed: undefined } : state;
    case 'reset': {
      const next = nextEpoch(state, { status: event.status, reason: undefined, signedIn: undefined });
      // Remount the tree: its effects then start the check.
      const needsRemount = state.status === 'anonymous' && event.status === 'restoring';
      return needsRemount ? { ...next, storeGeneration: next.storeGeneration + 1 } : next;
    }
  }
}

/** True after a logout: the one of an idle user locks. */
function hasLeft({ status }: SessionState<unknown, unknown>): boolean {
  return status === 'anonymous' || status === 'locked';
}

function signedOut<Credential, User>(
  state: SessionState<Credential, User>,
  reason: SignOutReason,
  locks: boolean | undefined,
): SessionState<Credential, User> {
  if (state.status === 'anonymous' || (locks && state.status === 'locked')) return state;
  if (!locks || state.signedIn?.subject === undefined) {
    const { error, unconfirmed } = state;
    const ended = nextEpoch(state, { status: 'anonymous', reason, signedIn: undefined });
    // The end of a lock tells the server nothing.
    return unconfirmed === 'logout' ? { ...ended, error, unconfirmed } : ended;
  }
  const { credential: _, ...lockedUser } = state.signedIn;
  const credentialVersion = state.credentialVersion + 1;
  return {
    ...state,
    status: 'locked',
    reason: reason === 'idle' ? reason : 'expired',
    signedIn: undefined,
    lockedUser,
    credentialVersion,
    error: undefined,
  };
}

function restored<Credential, User>(
  state: SessionState<Credential, User>,
  { signedIn, error, locks }: Extract<SessionEvent<Credential, User>, { type: 'restored' }>,
): SessionState<Credential, User> {
  if (!signedIn) {
    const unconfirmed = error && 'restore';
    if (state.status === 'restoring') return { ...state, status: 'anonymous', error, unconfirmed };
    // The server may still have a session, so the logout stays unconfirmed.
    if (state.unconfirmed === 'logout') return state;
    if (state.status === 'anonymous') return state.error === error ? state : { ...state, error, unconfirmed };
    if (state.status === 'locked') return state.error === error ? state : { ...state, error };
    // A failed check does not sign out.
    return error ? state : signedOut(state, 'expired', locks);
  }
  // Requests that wait for the check belong to the user that it finds: no new epoch.
  return state.status === 'restoring'
    ? withCredential(state, signedIn)
    : transition(state, { type: 'signed-in', signedIn });
}

function withCredential<Credential, User>(
  state: SessionState<Credential, User>,
  signedIn: SignedIn<Credential, User>,
): SessionState<Credential, User> {
  const credentialVersion = state.credentialVersion + 1;
  const unlocked = { lockedUser: undefined, error: undefined, unconfirmed: undefined };
  return { ...state, ...unlocked, status: 'authenticated', reason: undefined, signedIn, credentialVersion };
}

type StatusFields<Credential, User> = Pick<SessionState<Credential, User>, 'status' | 'reason' | 'signedIn'>;

function nextEpoch<Credential, User>(
  state: SessionState<Credential, User>,
  fields: StatusFields<Credential, User>,
): SessionState<Credential, User> {
  const storeGeneration = state.storeGeneration + (ownerOf(state) ? 1 : 0);
  const forgotten = { error: undefined, unconfirmed: undefined };
  const next = {
    ...fields,
    ...forgotten,
    epoch: state.epoch + 1,
    storeGeneration,
    credentialVersion: state.credentialVersion + 1,
  };
  return next as SessionState<Credential, User>;
}
