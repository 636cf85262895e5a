import { InvalidCredentialError } from '../../errors.js';
import type { SignedIn } from '../../session/signedIn.js';
import { jwtClaims } from '../jwtClaims.js';
import { acceptToken, type GetToken, type SdkState } from './sdkToken.js';

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

export type ContextToken = { readonly token: string | undefined };
type ContextUser = { readonly subject: string | undefined };
/** The user is what `profile` said, with the subject; before that, the subject alone, or undefined for a record. */
export type ContextSignedIn = SignedIn<ContextToken, unknown>;

/** What a context session knows between two requests. */
export interface ContextState extends SdkState {
  /** The props of the latest render. */
  props: ContextCredential;
  /** The user that these props named. */
  user: ContextUser | undefined;
  /** True if the user is a record of data-client: undefined until `profile` describes them. */
  readonly isRecord: boolean;
}

/** Takes the props of a render. With another subject, a token that was asked for before is not used. */
export function setProps(state: ContextState, next: ContextCredential): void {
  if (state.props.subject !== next.subject) state.period = {};
  state.props = next;
}

const MISSING_SUBJECT =
  'getToken gave a token that does not name its user, so the session could not tell two users apart. Pass ContextTokenProvider the `subject`: the user id that the SDK knows, or null while no user is signed in.';

/** Creates a sign-in. The same user gets the same `user` object, so that a new token re-renders nothing. */
export function signedInWith(token: string | undefined, state: ContextState): ContextSignedIn {
  const subject = state.props.subject ?? jwtClaims(token).sub;
  if (isIdentityUnknown(state.props) && subject === undefined) throw new InvalidCredentialError(MISSING_SUBJECT);
  if (!state.user || state.user.subject !== subject) state.user = state.isRecord ? undefined : { subject };
  return { credential: { token }, user: state.user, subject };
}

/** True when only the SDK knows who is signed in. */
export function isIdentityUnknown({ getToken, subject }: ContextCredential): boolean {
  return getToken !== undefined && subject === undefined;
}

/** Returns who is signed in according to the props; undefined if no user is, or only the SDK knows. */
export function signInFromProps(state: ContextState): ContextSignedIn | undefined {
  const { token, getToken, subject } = state.props;
  if (subject === null || isIdentityUnknown(state.props)) return undefined;
  if (subject !== undefined) state.owners.addUser(subject);
  if (getToken) return signedInWith(undefined, state);
  if (token === null || token === undefined || token === '') return undefined;
  return signedInWith(acceptToken(token, state) ? token : undefined, state);
}

/** Asks `profile`, and keeps its answer as the user of the subject. */
export function keptProfile(ask: (current: ContextSignedIn) => Promise<object>, state: ContextState) {
  return async (current: ContextSignedIn) => {
    const answer = { ...(await ask(current)), subject: current.subject };
    const user = JSON.stringify(answer) === JSON.stringify(current.user) ? (current.user as ContextUser) : answer;
    // The SDK may have signed another user in.
    if (state.props.subject === undefined || state.props.subject === current.subject) state.user = user;
    return user;
  };
}
