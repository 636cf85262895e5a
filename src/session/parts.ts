import { DEFAULT_TIMEOUT_MS, systemClock, type Clock } from '../clock.js';
import { createWithDeadline, type WithDeadline } from './deadline.js';
import type { CalledMechanism } from './mechanism.js';
import { RequestsOnWire } from './requests/requestsOnWire.js';
import { canRestore } from './restore/existingSession.js';
import { runAsAuthCall, type AuthCall, type ObservableSession, type RunAuthCall } from './requests/runAsAuthCall.js';
import type { SignedIn } from './signedIn.js';
import { initialState } from './state.js';
import { SessionStore } from './store.js';
import { sharedSignInError } from './sharedOnServer.js';
import { parseOrigins } from './requests/trustedOrigins.js';
import type { UserClass } from './userClass.js';

/** The parts that all effect modules of one session share. */
export interface SessionParts<Credential, User> {
  readonly mechanism: CalledMechanism<Credential, User>;
  /** The mechanism's `trustedOrigins`, parsed. */
  readonly trustedOrigins: readonly string[] | undefined;
  readonly store: SessionStore<Credential, User>;
  readonly clock: Clock;
  readonly onWire: RequestsOnWire;
  readonly withDeadline: WithDeadline;
  readonly runAuthCall: RunAuthCall<Credential>;
  /** The class of the user's record; see `UserOption`. Undefined: the user is no record. */
  readonly userClass: UserClass<User> | undefined;
  /** See `sharedSignInError`. */
  readonly sharedSignInError: () => Error | undefined;
  /** Called before the session sends something. They may end the session, and then it is not sent. */
  readonly beforeSending: Set<() => void>;
  /** How many callers of `lockOnExpiry` want an expiry to lock the session. */
  readonly locking: { callers: number };
}

interface PartsOptions<Credential, User> {
  readonly clock?: Clock | undefined;
  readonly initial?: SignedIn<Credential, User> | null | undefined;
  readonly userClass?: UserClass<User> | undefined;
  readonly server?: boolean | undefined;
  /** The session that the parts are for. Called for each auth call. */
  readonly session: () => ObservableSession;
}

/** @throws TypeError when an entry of the mechanism's `trustedOrigins` is no origin. */
export function createParts<Credential, User>(
  mechanism: CalledMechanism<Credential, User>,
  { clock = systemClock, initial, userClass, server, session }: PartsOptions<Credential, User>,
): SessionParts<Credential, User> {
  const store = new SessionStore(initialState(uncheckedStatus(mechanism), initial), userClass);
  const trustedOrigins = parseOrigins(mechanism.trustedOrigins);
  const onWire = new RequestsOnWire();
  const runAuthCall: RunAuthCall<Credential> = (name, call, { credential, signal } = {}) => {
    // A login needs no credential, and must not send another user's. Only a logout and the answer to a challenge prove whose they are.
    const attachCredential: AuthCall['attachCredential'] = request =>
      name === 'logout' || name === 'challenge' ? mechanism.attachCredential(request, credential) : request.init;
    const result = runAsAuthCall({ name, session: session(), trustedOrigins, attachCredential, signal }, call);
    if (name === 'restore' || name === 'refresh') onWire.addAuthCall(Promise.resolve(result));
    return result;
  };
  return {
    mechanism,
    trustedOrigins,
    store,
    clock,
    onWire,
    withDeadline: createWithDeadline(clock, mechanism.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    runAuthCall,
    userClass,
    sharedSignInError: () => sharedSignInError(server),
    beforeSending: new Set(),
    locking: { callers: 0 },
  };
}

/** The status before anything was checked. */
export function uncheckedStatus(
  mechanism: Pick<CalledMechanism<unknown, unknown>, 'load' | 'restore'>,
): 'restoring' | 'anonymous' {
  return canRestore(mechanism) ? 'restoring' : 'anonymous';
}
