import type { SessionCore } from '../../session/core.js';
import type { Mechanism } from '../../session/mechanism.js';
import { noLoginError } from '../../session/authCalls/noLoginError.js';
import type { ContextSessionOptions } from './ContextSessionOptions.js';
import {
  isIdentityUnknown,
  keptProfile,
  setProps,
  signedInWith,
  signInFromProps,
  type ContextState,
  type ContextToken,
} from './contextSignIn.js';
import { DEFAULT_NAME } from '../createTabs.js';
import { profileCall } from '../profile.js';
import { foundBySource, readToken, refreshedBySdk, restoredBySdk, signedInBySource } from './sdkSignIn.js';
import { fetchToken } from './sdkToken.js';
import { attachToken } from '../tokenHeader.js';

/** The current props decide which functions the mechanism has. */
export function contextMechanism(
  options: ContextSessionOptions,
  state: ContextState,
  session: () => SessionCore<ContextToken, unknown>,
): Mechanism<ContextToken, unknown> {
  const { source, profile } = options;
  const refresh = () => refreshedBySdk(state);
  const restore = (signal?: AbortSignal) => (source ? foundBySource(source, state, signal) : restoredBySdk(state));
  const login = () => (source ? signedInBySource(source, state) : refresh());
  return {
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
    readCredential: current =>
      readToken(current, state, session().getSubject(), signedIn => {
        // The user may have signed out while the SDK was asked for the token.
        if (session().getCredential() === current) session().adopt(signedIn);
      }),
    isSameCredential: (a, b) => a.token === b.token,
    attachCredential: ({ init }, current) => (current ? attachToken(init, current.token, options) : init),
    // A getter cannot be absent; one that returns undefined counts as absent.
  } as Mechanism<ContextToken, unknown>;
}
