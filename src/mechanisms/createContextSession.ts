import { InvalidCredentialError, SessionExpiredError } from '../errors.js';
import { systemClock, type Clock } from '../clock.js';
import type { SessionCore } from '../session/core.js';
import { createSessionCore } from '../session/createSessionCore.js';
import type { Mechanism } from '../session/mechanism.js';
import type { SignedIn } from '../session/signedIn.js';
import { jwtClaims } from './jwtClaims.js';
import { rejectionAsSignedOut } from './refusals.js';
import { acceptToken, fetchToken, OTHER_USERS_TOKEN, TIMEOUT_MS, type GetToken, type SdkState } from './sdkToken.js';
import { attachToken, type TokenHeaderOptions } from './tokenHeader.js';
import { TokenOwners } from './TokenOwners.js';

/** The credential as a component above knows it, at one render. */
export interface ContextCredential {
  /** The token itself; null or undefined means that no user is signed in. */
  readonly token?: string | null | undefined;
  /** Asks for the token at send time instead. */
  readonly getToken?: GetToken | undefined;
  /**
   * Who is signed in; null means no user. Undefined: the `sub` of a token that is a JWT; without one, every new
   * `token` is another user, and `getToken` is refused.
   */
  readonly subject?: string | null | undefined;
}

export interface ContextSessionOptions extends TokenHeaderOptions {
  readonly trustedOrigins?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
}

type ContextToken = { readonly token: string | undefined };
type ContextUser = { readonly subject: string | undefined };
type ContextSignedIn = SignedIn<ContextToken, ContextUser>;

interface ContextState extends SdkState {
  /** Those of the latest render. */
  props: ContextCredential;
  /** The user they were about. */
  user: ContextUser | undefined;
}

/**
 * A session whose credential comes from a component above, and whose sign-in happens elsewhere.
 *
 * @throws TypeError when an entry of `trustedOrigins` is no origin.
 */
export function createContextSession(options: ContextSessionOptions, first: ContextCredential) {
  const { clock = systemClock } = options;
  const state: ContextState = { props: first, user: undefined, period: {}, owners: new TokenOwners(), clock };
  const session: SessionCore<ContextToken, ContextUser> = createSessionCore(
    contextMechanism(options, state, signedIn => session.adopt(signedIn)),
    // A component makes it, so no two visitors share it.
    { clock, initial: signInFromProps(state), server: true },
  );
  return {
    session,
    /** Takes over what the component above knows now. No effect when it knows nothing new. */
    update(next: ContextCredential): void {
      const before = state.props;
      state.props = next;
      if (before.subject === next.subject && before.token === next.token && !before.getToken === !next.getToken) return;
      if (before.subject !== next.subject) state.period = {};
      const signedIn = signInFromProps(state);
      if (signedIn) session.adopt(signedIn);
      else if (isIdentityUnknown(next)) void session.refresh().catch(() => {});
      else session.leave('elsewhere');
    },
    /** The component above is gone: no user is signed in here until the next `update`. */
    close(): void {
      state.props = { subject: null };
      session.dispose();
    },
  };
}

const MISSING_SUBJECT =
  'getToken gave a token that does not tell whose it is, so the session could not tell two users apart. Give ContextTokenProvider the `subject`: the user id that the SDK knows, or null while no user is signed in.';

/** Same user, same `user` object: a new token changes nothing that is shown. */
function signedInWith(token: string | undefined, state: ContextState): ContextSignedIn {
  const subject = state.props.subject ?? jwtClaims(token).sub;
  if (isIdentityUnknown(state.props) && subject === undefined) throw new InvalidCredentialError(MISSING_SUBJECT);
  if (!state.user || state.user.subject !== subject) state.user = { subject };
  return { credential: { token }, user: state.user, subject };
}

/** True when only the SDK knows who is signed in. */
function isIdentityUnknown({ getToken, subject }: ContextCredential): boolean {
  return getToken !== undefined && subject === undefined;
}

/** Notes who is signed in according to the props; undefined: no user, or only the SDK knows. */
function signInFromProps(state: ContextState): ContextSignedIn | undefined {
  const { token, getToken, subject } = state.props;
  if (subject === null || isIdentityUnknown(state.props)) return undefined;
  if (subject !== undefined) state.owners.addUser(subject);
  if (getToken) return signedInWith(undefined, state);
  if (token === null || token === undefined || token === '') return undefined;
  return signedInWith(acceptToken(token, state) ? token : undefined, state);
}

/** @throws SessionExpiredError when only the SDK knows who is signed in, and says that no user is. */
async function refreshedBySdk(state: ContextState): Promise<ContextSignedIn> {
  const token = await fetchToken(state, true);
  if (token === undefined) throw new SessionExpiredError();
  return signedInWith(token, state);
}

/** Who is signed in according to the SDK; undefined: no user. */
async function restoredBySdk(state: ContextState): Promise<ContextSignedIn | undefined> {
  const token = await rejectionAsSignedOut(fetchToken(state, false));
  return token === undefined ? undefined : signedInWith(token, state);
}

/** The token of this moment. Where only the SDK knows who is signed in, and it is another user now, that user is adopted. */
async function readToken(
  current: ContextToken,
  state: ContextState,
  adopt: (signedIn: ContextSignedIn) => void,
): Promise<ContextToken | undefined> {
  if (!state.props.getToken && current.token === undefined) throw new Error(OTHER_USERS_TOKEN);
  if (!state.props.getToken) return current;
  const token = await fetchToken(state, false);
  if (token === undefined) return undefined;
  const signedIn = signedInWith(token, state);
  if (isIdentityUnknown(state.props) && signedIn.subject !== jwtClaims(current.token).sub) adopt(signedIn);
  return signedIn.credential;
}

/** What the session can do depends on the props of the moment. */
function contextMechanism(
  options: ContextSessionOptions,
  state: ContextState,
  adopt: (signedIn: ContextSignedIn) => void,
): Mechanism<ContextToken, ContextUser> {
  const refresh = () => refreshedBySdk(state);
  const restore = () => restoredBySdk(state);
  return {
    timeoutMs: TIMEOUT_MS,
    trustedOrigins: options.trustedOrigins,
    /** The SDK has signed the user in (again). */
    get login() {
      return state.props.getToken && refresh;
    },
    get restore() {
      return isIdentityUnknown(state.props) ? restore : undefined;
    },
    get refresh() {
      return state.props.getToken && refresh;
    },
    readIdentity: () => signInFromProps(state),
    readCredential: current => readToken(current, state, adopt),
    isSameCredential: (a, b) => a.token === b.token,
    attachCredential: ({ init }, current) => (current ? attachToken(init, current.token, options) : init),
    // A getter cannot be absent; one that returns undefined counts as absent.
  } as Mechanism<ContextToken, ContextUser>;
}
