import type { SessionSnapshot, SignOutReason } from './session.js';
import type { SignedIn } from './signedIn.js';

/** Whose session is locked: a sign-in without its credential. */
export type LockedUser<User> = Omit<SignedIn<unknown, User>, 'credential'>;

/** All that a session knows. Only `transition` makes the next state, and only `SessionStore` holds it. */
export type SessionState<Credential, User> = {
  /** See `SessionSnapshot`. */
  readonly epoch: number;
  /** Grows by one each time an identity is left. Data of one generation is never shown in another. */
  readonly storeGeneration: number;
  /** Grows by one with each new credential. */
  readonly credentialVersion: number;
  readonly error: Error | undefined;
  /** See `SessionSnapshot`. */
  readonly unconfirmed: SessionSnapshot['unconfirmed'];
  readonly lockedUser?: LockedUser<User> | undefined;
} & (
  | { readonly status: 'restoring'; readonly reason: undefined; readonly signedIn: undefined }
  | { readonly status: 'anonymous'; readonly reason: SignOutReason | undefined; readonly signedIn: undefined }
  | { readonly status: 'authenticated'; readonly reason: undefined; readonly signedIn: SignedIn<Credential, User> }
  | { readonly status: 'locked'; readonly reason: 'expired' | 'idle'; readonly signedIn: undefined }
);

/** Whose session it is: the user who is signed in, or whose session is locked. */
export function ownerOf<User>({ signedIn, lockedUser }: SessionState<unknown, User>): LockedUser<User> | undefined {
  return signedIn ?? lockedUser;
}

export function initialState<Credential, User>(
  status: 'restoring' | 'anonymous',
  signedIn?: SignedIn<Credential, User> | null,
): SessionState<Credential, User> {
  const common = {
    epoch: 0,
    storeGeneration: 0,
    credentialVersion: 0,
    reason: undefined,
    error: undefined,
    unconfirmed: undefined,
  };
  if (signedIn) return { ...common, status: 'authenticated', signedIn };
  return { ...common, status: signedIn === null ? 'anonymous' : status, signedIn: undefined };
}

/** The part of a state that the session's readers see. */
export function snapshotOf<User>({
  status,
  reason,
  signedIn,
  lockedUser,
  epoch,
  error,
  unconfirmed,
}: SessionState<unknown, User>): SessionSnapshot<User> {
  // Components below a locked screen stay mounted, and read the user.
  const { user } = signedIn ?? lockedUser ?? {};
  return { status, reason, user, epoch, error, unconfirmed };
}
