import { IdentityChangedError, InvalidCredentialError, SessionExpiredError } from '../errors.js';
import type { Clock } from '../clock.js';
import type { SessionCore } from '../session/core.js';
import { createSessionCore } from '../session/createSession.js';
import type { Mechanism, SignedIn } from '../session/types.js';
import { jwtClaims } from './jwtClaims.js';
import { rejectionAsExpired, rejectionAsSignedOut } from './refusals.js';
import { attachToken, type TokenPlace } from './tokenHeader.js';

/** How long an SDK may take to give a token, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Asks an SDK for the token; `fresh` asks it to go past its own cache. Null or undefined means that nobody is signed in. */
export type GetToken = (options: { fresh: boolean }) => Promise<string | null | undefined>;

/** The credential as a component above knows it, at one render. */
export interface ContextCredential {
  /** The token itself; null or undefined means that nobody is signed in. */
  readonly token?: string | null | undefined;
  /** Asks for the token at send time instead. */
  readonly getToken?: GetToken | undefined;
  /** Who is signed in; null means nobody. Undefined: the `sub` of a token that is a JWT; without one, every new `token` is somebody else, and `getToken` is refused. */
  readonly subject?: string | null | undefined;
}

export interface ContextSessionOptions extends TokenPlace {
  readonly origins?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
}

type ContextToken = { readonly token: string | undefined };
type ContextUser = { readonly subject: string | undefined };
type ContextSignedIn = SignedIn<ContextToken, ContextUser>;
/** The latest props, the user they were about, and the `sub` of that user's first token. */
type ContextState = { props: ContextCredential; user: ContextUser | undefined; sub: string | undefined };

/**
 * A session whose credential comes from a component above, and whose sign-in happens elsewhere.
 *
 * @throws TypeError when an entry of `origins` is no origin.
 */
export function createContextSession(options: ContextSessionOptions, first: ContextCredential) {
  const state: ContextState = { props: first, user: undefined, sub: undefined };
  const session: SessionCore<ContextToken, ContextUser> = createSessionCore(
    contextMechanism(options, state, signedIn => session.adopt(signedIn)),
    // A component makes it, so no two visitors share it.
    { clock: options.clock, initial: identityFromProps(state), server: true },
  );
  return {
    session,
    /** Takes over what the component above knows now. No effect when it knows nothing new. */
    update(next: ContextCredential): void {
      const before = state.props;
      state.props = next;
      if (before.subject === next.subject && before.token === next.token && !before.getToken === !next.getToken) return;
      if (before.subject !== next.subject) state.sub = undefined;
      const signedIn = identityFromProps(state);
      if (signedIn) session.adopt(signedIn);
      else if (isIdentityUnknown(next)) void session.refresh().catch(() => {});
      else session.leave('elsewhere');
    },
    /** The component above is gone: no user is signed in here until the next `update`. */
    close(): void {
      Object.assign(state, { props: { subject: null }, user: undefined, sub: undefined });
      session.dispose();
    },
  };
}

function subjectOf(token: string | undefined, { props }: ContextState): string | undefined {
  return props.subject ?? jwtClaims(token).sub;
}

const MISSING_SUBJECT =
  'getToken gave a token that does not tell whose it is, so two users could not be told apart. Give ContextTokenProvider the `subject`: the user id that the SDK knows, or null while no user is signed in.';

/** Same user, same `user` object: a new token changes nothing that is shown. */
function signedInWith(token: string | undefined, state: ContextState): ContextSignedIn {
  const subject = subjectOf(token, state);
  if (isIdentityUnknown(state.props) && subject === undefined) throw new InvalidCredentialError(MISSING_SUBJECT);
  if (!state.user || state.user.subject !== subject) state.user = { subject };
  return { credential: { token }, user: state.user, subject };
}

/** True when only the SDK knows who is signed in. */
function isIdentityUnknown({ getToken, subject }: ContextCredential): boolean {
  return getToken !== undefined && subject === undefined;
}

/** Who is signed in according to the props; undefined: no user, or only the SDK knows. */
function identityFromProps(state: ContextState): ContextSignedIn | undefined {
  const { token, getToken, subject } = state.props;
  if (subject === null || isIdentityUnknown(state.props)) return undefined;
  if (getToken) return signedInWith(undefined, state);
  return token === null || token === undefined || token === '' ? undefined : signedInWith(token, state);
}

/**
 * Whether the SDK has moved on to another user before the component above has: its token has another `sub` than those
 * before it, so it must not be sent for the user of the props.
 */
function isOtherUsersToken(token: string, state: ContextState): boolean {
  const { sub } = jwtClaims(token);
  const isOther = state.props.subject !== undefined && sub !== undefined && state.sub !== undefined && sub !== state.sub;
  if (!isOther) state.sub = sub ?? state.sub;
  return isOther;
}

/**
 * The SDK's token, as far as it is for the user of the props.
 *
 * @throws IdentityChangedError when the props name another user by the time of the answer.
 */
async function fetchToken(state: ContextState, fresh: boolean): Promise<string | undefined> {
  const { getToken, subject } = state.props;
  const token = (getToken && (await rejectionAsExpired(getToken({ fresh })))) || undefined;
  if (state.props.subject !== subject) throw new IdentityChangedError();
  return token === undefined || isOtherUsersToken(token, state) ? undefined : token;
}

/** @throws SessionExpiredError when the SDK has no token for the user of the props. */
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

/** The SDK's token of this moment. Where it is another user's, that user is adopted. */
async function readFromSdk(current: ContextToken, state: ContextState, adopt: (signedIn: ContextSignedIn) => void): Promise<ContextToken | undefined> {
  if (!state.props.getToken) return current;
  const token = await fetchToken(state, false);
  if (token === undefined) return undefined;
  const signedIn = signedInWith(token, state);
  const isOtherUser = current.token !== undefined && signedIn.subject !== undefined && signedIn.subject !== subjectOf(current.token, state);
  if (isOtherUser) adopt(signedIn);
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
    trustedOrigins: options.origins,
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
    readIdentity: () => identityFromProps(state),
    readCredential: current => readFromSdk(current, state, adopt),
    isSameCredential: (a, b) => a.token === b.token,
    attachCredential: ({ init }, current) => (current ? attachToken(init, current.token, options) : init),
  };
}
