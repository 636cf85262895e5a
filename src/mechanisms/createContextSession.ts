import { InvalidCredentialError, SessionExpiredError } from '../errors.js';
import { systemClock, type Clock } from '../clock.js';
import type { ChallengeOption } from '../session/challenge.js';
import type { SessionCore } from '../session/core.js';
import { createSessionCore } from '../session/createSessionCore.js';
import type { Mechanism } from '../session/mechanism.js';
import { noLoginError } from '../session/noLoginError.js';
import type { SignedIn } from '../session/signedIn.js';
import type { UserOption } from '../session/userClass.js';
import { DEFAULT_NAME } from './createTabs.js';
import { jwtClaims } from './jwtClaims.js';
import { profileCall, type ProfileOption } from './profile.js';
import { rejectionAsSignedOut } from './refusals.js';
import { acceptToken, fetchToken, OTHER_USERS_TOKEN, TIMEOUT_MS, type GetToken, type SdkState } from './sdkToken.js';
import { attachToken, type TokenHeaderOptions } from './tokenHeader.js';
import { TokenOwners } from './TokenOwners.js';

/** The credential that a component above knows at one render. */
export interface ContextCredential {
  /** The token. Null or undefined means that no user is signed in. */
  readonly token?: string | null | undefined;
  /** Returns the token; used instead of `token`. Called when a request is sent. */
  readonly getToken?: GetToken | undefined;
  /**
   * Who is signed in; null means no user. Undefined: the `sub` of a token that is a JWT; without one, every new
   * `token` is another user, and `getToken` is refused.
   */
  readonly subject?: string | null | undefined;
}

/** An SDK that is asked who its user is, where no component above passes that as a prop. */
export interface SubjectSource {
  /** Returns the subject if the SDK knows it now, null if no user is signed in, else undefined. */
  read(): string | null | undefined;
  /** Waits until the SDK knows. */
  find(signal?: AbortSignal): Promise<string | null>;
}

export interface ContextSessionOptions extends TokenHeaderOptions, ProfileOption, UserOption<unknown>, ChallengeOption {
  readonly trustedOrigins?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
  /** @default the props of each render say who is signed in */
  readonly source?: SubjectSource | undefined;
}

type ContextToken = { readonly token: string | undefined };
type ContextUser = { readonly subject: string | undefined };
/** The user is what `profile` said, with the subject; before that, the subject alone, or undefined for a record. */
type ContextSignedIn = SignedIn<ContextToken, unknown>;

interface ContextState extends SdkState {
  /** The props of the latest render. */
  props: ContextCredential;
  /** The user that these props named. */
  user: ContextUser | undefined;
  /** True if the user is a record of data-client: undefined until `profile` describes them. */
  readonly isRecord: boolean;
}

/**
 * A session whose credential comes from a component above, and whose sign-in happens elsewhere.
 *
 * @throws TypeError when an entry of `trustedOrigins` is no origin.
 */
export function createContextSession(options: ContextSessionOptions, first: ContextCredential) {
  const { clock = systemClock, user, challenge } = options;
  const isRecord = user !== undefined;
  const state: ContextState = { props: first, user: undefined, isRecord, period: {}, owners: new TokenOwners(), clock };
  const session: SessionCore<ContextToken, unknown> = createSessionCore(
    contextMechanism(options, state, () => session),
    // A component creates this session, so two visitors never share it.
    {
      clock,
      user,
      challenge,
      initial: signInFromProps(state) ?? (first.subject === null ? null : undefined),
      server: true,
    },
  );
  return {
    session,
    /** Takes over the props of a new render. No effect when they are equal. */
    update(next: ContextCredential): void {
      const before = state.props;
      setProps(state, next);
      if (before.subject === next.subject && before.token === next.token && !before.getToken === !next.getToken) return;
      const signedIn = signInFromProps(state);
      if (signedIn) session.adopt(signedIn);
      else if (isIdentityUnknown(next)) void session.refresh().catch(() => {});
      else session.leave('elsewhere');
    },
    /** Call when the component above is unmounted: signs out until the next `update`. */
    close(): void {
      state.props = { subject: null };
      session.dispose();
    },
  };
}

function setProps(state: ContextState, next: ContextCredential): void {
  if (state.props.subject !== next.subject) state.period = {};
  state.props = next;
}

const MISSING_SUBJECT =
  'getToken gave a token that does not name its user, so the session could not tell two users apart. Pass ContextTokenProvider the `subject`: the user id that the SDK knows, or null while no user is signed in.';

/** Creates a sign-in. The same user gets the same `user` object, so that a new token re-renders nothing. */
function signedInWith(token: string | undefined, state: ContextState): ContextSignedIn {
  const subject = state.props.subject ?? jwtClaims(token).sub;
  if (isIdentityUnknown(state.props) && subject === undefined) throw new InvalidCredentialError(MISSING_SUBJECT);
  if (!state.user || state.user.subject !== subject) state.user = state.isRecord ? undefined : { subject };
  return { credential: { token }, user: state.user, subject };
}

/** True when only the SDK knows who is signed in. */
function isIdentityUnknown({ getToken, subject }: ContextCredential): boolean {
  return getToken !== undefined && subject === undefined;
}

/** Returns who is signed in according to the props; undefined if no user is, or only the SDK knows. */
function signInFromProps(state: ContextState): ContextSignedIn | undefined {
  const { token, getToken, subject } = state.props;
  if (subject === null || isIdentityUnknown(state.props)) return undefined;
  if (subject !== undefined) state.owners.addUser(subject);
  if (getToken) return signedInWith(undefined, state);
  if (token === null || token === undefined || token === '') return undefined;
  return signedInWith(acceptToken(token, state) ? token : undefined, state);
}

/** @throws SessionExpiredError when only the SDK knows who is signed in, and has no token. */
async function refreshedBySdk(state: ContextState): Promise<ContextSignedIn> {
  const token = await fetchToken(state, true);
  if (token === undefined) throw new SessionExpiredError();
  return signedInWith(token, state);
}

/** Returns who is signed in according to the SDK; undefined if no user is. */
async function restoredBySdk(state: ContextState): Promise<ContextSignedIn | undefined> {
  const token = await rejectionAsSignedOut(fetchToken(state, false));
  return token === undefined ? undefined : signedInWith(token, state);
}

/** Returns who is signed in according to the source; undefined if no user is. */
async function foundBySource(
  source: SubjectSource,
  state: ContextState,
  signal?: AbortSignal,
): Promise<ContextSignedIn | undefined> {
  const subject = await source.find(signal);
  signal?.throwIfAborted();
  setProps(state, { ...state.props, subject });
  return signInFromProps(state);
}

/** Returns the current token. If only the SDK knows who is signed in, and it is another user now, adopts that user. */
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

/** Asks `profile`, and keeps its answer as the user of the subject. */
function keptProfile(ask: (current: ContextSignedIn) => Promise<object>, state: ContextState) {
  return async (current: ContextSignedIn) => {
    const answer = { ...(await ask(current)), subject: current.subject };
    const user = JSON.stringify(answer) === JSON.stringify(current.user) ? (current.user as ContextUser) : answer;
    // The SDK may have signed another user in.
    if (state.props.subject === undefined || state.props.subject === current.subject) state.user = user;
    return user;
  };
}

/** The current props decide which functions the mechanism has. */
function contextMechanism(
  options: ContextSessionOptions,
  state: ContextState,
  session: () => SessionCore<ContextToken, unknown>,
): Mechanism<ContextToken, unknown> {
  const { source, profile } = options;
  const refresh = () => refreshedBySdk(state);
  const restore = (signal?: AbortSignal) => (source ? foundBySource(source, state, signal) : restoredBySdk(state));
  const login = async () => {
    if (source && !(await foundBySource(source, state))) throw new SessionExpiredError();
    return refresh();
  };
  return {
    timeoutMs: TIMEOUT_MS,
    trustedOrigins: options.trustedOrigins,
    // The SDK signs in and out in all tabs.
    tabsName: DEFAULT_NAME,
    /** Called after the SDK has signed the user in. */
    get login() {
      return state.props.getToken && login;
    },
    enter: () => Promise.reject(noLoginError()),
    ...(profile && { profile: keptProfile(profileCall(profile, session), state) }),
    get restore() {
      return source || isIdentityUnknown(state.props) ? restore : undefined;
    },
    get refresh() {
      return state.props.getToken && refresh;
    },
    /** Not as an auth call: the SDK may open a window. */
    answerChallenge: challenge => fetchToken(state, true, challenge),
    readAnswer: (token, current) => (typeof token === 'string' ? signedInWith(token, state) : current),
    readIdentity() {
      if (source) setProps(state, { ...state.props, subject: source.read() });
      return signInFromProps(state);
    },
    readCredential: current => readToken(current, state, signedIn => session().adopt(signedIn)),
    isSameCredential: (a, b) => a.token === b.token,
    attachCredential: ({ init }, current) => (current ? attachToken(init, current.token, options) : init),
    // A getter cannot be absent; one that returns undefined counts as absent.
  } as Mechanism<ContextToken, unknown>;
}
