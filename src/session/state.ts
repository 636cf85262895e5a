import { IdentityChangedError, LogoutUnconfirmedError, SessionExpiredError, SignedOutError } from '../errors.js';
import { keepIfEqual } from '../keepIfEqual.js';
import type { SessionSnapshot, SessionStatus, SignOutReason } from './session.js';

/** Who signed in, without the credential. */
export interface SignIn<User = unknown> {
  readonly subject?: string | undefined;
  /** The organization or tenant of the sign-in: the same subject in another one is another identity. */
  readonly tenant?: string | undefined;
  readonly user?: User | undefined;
  /** When the session asked for `user`, in milliseconds since 1970. */
  readonly askedAt?: number | undefined;
}

/** Where a state is among the records of the tabs. `isLater` orders them. */
export interface Position {
  /** Begins with the time of the sign-in. */
  readonly id: string;
  /** Grows with each refresh of the sign-in. */
  readonly revision: number;
  /** Why the sign-in ended. */
  readonly ended?: SignOutReason | undefined;
}

/** All that a session knows. Only `transition` makes the next state. */
export interface State<Credential = unknown, User = unknown> {
  readonly status: SessionStatus;
  /** Kept while locked. */
  readonly signIn?: SignIn<User> | undefined;
  readonly credential?: Credential | undefined;
  /** Stays after the sign-out: an older record does not sign a user in. */
  readonly position: Position;
  /** Grows with each credential, and with the end of one. */
  readonly version: number;
  /** Grows with each change of identity. */
  readonly epoch: number;
  /** Grows when an identity is left, so that no other user sees its data. */
  readonly generation: number;
  /** Another user may be signed in by now: nothing is sent before a check. */
  readonly stale: boolean;
  readonly unconfirmed?: SessionSnapshot['unconfirmed'];
  readonly reason?: SignOutReason | undefined;
  readonly error?: Error | undefined;
}

/** A user with a credential. */
export interface Identity<Credential, User> {
  readonly signIn: SignIn<User>;
  readonly credential: Credential;
  /** @default the state's own */
  readonly position?: Position | undefined;
}

/** The end of a sign-in. */
export interface End {
  readonly reason: SignOutReason;
  /** Keeps the screen of a user who can be recognized. */
  readonly locks?: boolean | undefined;
  readonly position?: Position | undefined;
  /** A page that starts asks the server all the same: a user may have signed in since, outside of the page. */
  readonly isAsked?: boolean | undefined;
  /** The error for the requests that end with it. @default by the reason */
  readonly because?: Error | undefined;
}

export type SessionEvent<Credential, User> =
  /** By a login, or another tab or an SDK has signed a user in. */
  | ({ readonly type: 'signed-in' } & Identity<Credential, User>)
  /** A check has found a user. */
  | ({ readonly type: 'found' } & Identity<Credential, User>)
  /** A check has found that no user is signed in. */
  | ({ readonly type: 'found-no-user' } & End)
  /** A check got no answer. */
  | { readonly type: 'unchecked'; readonly error: Error }
  /** The same user has another credential, or is described anew. */
  | ({ readonly type: 'refreshed' } & Identity<Credential, User>)
  | ({ readonly type: 'signed-out' } & End)
  /** A login or logout has failed. */
  | { readonly type: 'failed'; readonly error: Error }
  /** The server has ended the session that a logout left. */
  | { readonly type: 'logout-confirmed'; readonly position?: Position | undefined }
  | { readonly type: 'stale' }
  /** What made the state stale has changed nothing. */
  | { readonly type: 'known' }
  /** The page was frozen, or the session is disposed of: it forgets what it knows. */
  | { readonly type: 'reset'; readonly status: 'restoring' | 'anonymous'; readonly because: Error };

export const NO_POSITION: Position = { id: '', revision: 0 };

/** @param initial The user whom a server has found already; null if it has found none. */
export function initialState<Credential, User>(
  status: 'restoring' | 'anonymous',
  initial?: Identity<Credential, User> | null,
): State<Credential, User> {
  const unknown = { status, position: NO_POSITION, version: 0, epoch: 0, generation: 0, stale: false };
  if (!initial) return initial === null ? { ...unknown, status: 'anonymous' } : unknown;
  return { ...unknown, status: 'authenticated', signIn: initial.signIn, credential: initial.credential };
}

/** Two sign-ins without a subject are never the same user. */
export function isSameUser(a: SignIn | undefined, b: SignIn | undefined): boolean {
  return a?.subject !== undefined && a.subject === b?.subject && a.tenant === b.tenant;
}

/** The part of a state that its readers see. */
export function snapshotOf<User>(state: State<unknown, User>): SessionSnapshot<User> {
  const { status, reason, signIn, epoch, error, unconfirmed } = state;
  return { status, reason, user: signIn?.user, epoch, error, unconfirmed };
}

/** Why the requests of an epoch end that this event has ended. */
export function endReasonOf(event: SessionEvent<unknown, unknown>): Error {
  if (event.type === 'reset') return event.because;
  if (event.type !== 'signed-out' && event.type !== 'found-no-user') return new IdentityChangedError();
  return event.because ?? (event.reason === 'expired' ? new SessionExpiredError() : new SignedOutError());
}

/** The next state. The same object when the event changes nothing. */
export function transition<C, U>(state: State<C, U>, event: SessionEvent<C, U>): State<C, U> {
  switch (event.type) {
    case 'signed-in':
      return withIdentity(isSameUser(state.signIn, event.signIn) ? state : nextEpoch(state), event);
    case 'found':
      return found(state, event);
    case 'found-no-user':
      return foundNoUser(state, event);
    case 'unchecked':
      return unchecked(state, event.error);
    case 'refreshed':
      return refreshed(state, event);
    case 'signed-out':
      return signedOut(state, event);
    case 'failed': {
      const isLogout = event.error instanceof LogoutUnconfirmedError && state.status !== 'authenticated';
      return { ...state, error: event.error, unconfirmed: isLogout ? 'logout' : state.unconfirmed };
    }
    case 'logout-confirmed':
      return logoutConfirmed(state, event.position);
    case 'stale':
      // Requests of a signed-out page carry no cookie, so they need no check. The place of a user who was idle waits for a login.
      return state.stale || !state.signIn || state.position.ended === 'idle' ? state : { ...state, stale: true };
    case 'known':
      return state.stale ? { ...state, stale: false } : state;
    case 'reset':
      return reset(state, event.status);
  }
}

function withIdentity<C, U>(state: State<C, U>, identity: Identity<C, U>): State<C, U> {
  const { credential, position = { ...state.position, ended: undefined } } = identity;
  // The same answer again renders nothing.
  const user = keepIfEqual(state.signIn?.user, identity.signIn.user);
  const signIn = user === identity.signIn.user ? identity.signIn : { ...identity.signIn, user };
  const { epoch, generation } = state;
  const version = state.version + 1;
  return { status: 'authenticated', signIn, credential, position, version, epoch, generation, stale: false };
}

function refreshed<C, U>(state: State<C, U>, identity: Identity<C, U>): State<C, U> {
  const { status, credential, version, error, stale } = state;
  if (status !== 'authenticated') return state;
  const next = { ...withIdentity(state, identity), error, stale };
  // A user who is described anew keeps the credential: a refresh on the wire counts.
  return identity.credential === credential ? { ...next, version } : next;
}

function nextEpoch<C, U>({ position, version, epoch, generation, signIn }: State<C, U>): State<C, U> {
  const next = { version: version + 1, epoch: epoch + 1, generation: signIn ? generation + 1 : generation };
  return { status: 'anonymous', position, stale: false, ...next };
}

function found<C, U>(state: State<C, U>, identity: Identity<C, U>): State<C, U> {
  // Requests that wait for the first check belong to the user whom it finds.
  if (state.status === 'restoring') return withIdentity(state, identity);
  return transition(state, { ...identity, type: 'signed-in' });
}

function foundNoUser<C, U>(state: State<C, U>, end: End): State<C, U> {
  const position = end.position ?? { ...state.position, ended: undefined };
  if (end.isAsked && state.status === 'restoring') return { ...state, position };
  if (state.status === 'authenticated') return signedOut(state, { ...end, position: end.position });
  if (state.status === 'locked') return { ...state, position, error: undefined, stale: false };
  // The server may still have a session, so the logout stays unconfirmed.
  const unconfirmed = state.unconfirmed === 'logout' ? { unconfirmed: state.unconfirmed, error: state.error } : {};
  const { version, epoch, generation, reason } = state;
  return { status: 'anonymous', reason, position, version, epoch, generation, stale: false, ...unconfirmed };
}

/** A failed check signs no user out, and stays due while a user is signed in. */
function unchecked<C, U>(state: State<C, U>, error: Error): State<C, U> {
  if (state.status === 'authenticated' || state.unconfirmed === 'logout') return state;
  if (state.status === 'locked') return { ...state, error };
  return { ...state, status: 'anonymous', error, unconfirmed: 'restore', stale: false };
}

function signedOut<C, U>(state: State<C, U>, { reason, locks, position = state.position }: End): State<C, U> {
  if (state.status === 'anonymous' || (locks && state.status === 'locked'))
    return position === state.position ? state : { ...state, position };
  if (locks && state.signIn?.subject !== undefined)
    return {
      ...state,
      status: 'locked',
      reason,
      credential: undefined,
      position,
      version: state.version + 1,
      error: undefined,
      stale: false,
    };
  const ended = { ...nextEpoch(state), reason, position };
  // The end of a locked screen tells the server nothing.
  return state.unconfirmed === 'logout' ? { ...ended, error: state.error, unconfirmed: 'logout' } : ended;
}

function logoutConfirmed<C, U>(state: State<C, U>, position = state.position): State<C, U> {
  if (state.unconfirmed) return { ...state, position, error: undefined, unconfirmed: undefined };
  return position === state.position ? state : { ...state, position };
}

function reset<C, U>(state: State<C, U>, status: 'restoring' | 'anonymous'): State<C, U> {
  // The storage knows the position that this page forgets.
  const next = { ...nextEpoch(state), position: NO_POSITION, status };
  // A tree that is mounted again starts the check.
  const needsRemount = state.status === 'anonymous' && status === 'restoring';
  return needsRemount ? { ...next, generation: next.generation + 1 } : next;
}

/** What the state keeps of a user who was found or has signed in. */
export function identityOf<C, U>(found: SignIn<U> & { readonly credential: C }, askedAt?: number) {
  const { credential, subject, tenant, user } = found;
  return { credential, signIn: { subject, tenant, user, askedAt } };
}
