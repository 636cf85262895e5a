import { useContext, useMemo } from 'react';
import { useSessionCore } from '../endpoints/SessionContext.js';
import type { Session, SessionSnapshot } from '../session/session.js';
import { SnapshotContext } from './UserProvider.js';
import { useFreshSnapshot } from './useFreshSnapshot.js';

/**
 * Registers the type of your app's session. Declare it once: `useAuth()` then has the types of the user and of the login arguments.
 * Without it, the user is `unknown` and `login` accepts any arguments.
 *
 * @example
 * declare module 'data-client-auth' {
 *   interface Register {
 *     session: typeof session;
 *   }
 * }
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- apps add `session` by declaration merging
export interface Register {}

/** The session that `Register` names. */
export type RegisteredSession = Register extends { session: infer S }
  ? S
  : Session<unknown, readonly unknown[], [], readonly unknown[]>;

/** The result of `useAuth`: the session's snapshot without its epoch, and its actions. */
export interface Auth<
  User = unknown,
  LoginArgs extends readonly unknown[] = readonly unknown[],
  LogoutArgs extends readonly unknown[] = [],
  EnterArgs extends readonly unknown[] = readonly unknown[],
> extends Pick<SessionSnapshot<User>, 'status' | 'user' | 'reason' | 'error' | 'unconfirmed'> {
  /** Signs in; see `Session.login`. The same function at every render. */
  readonly login: (...args: LoginArgs) => Promise<User | undefined>;
  /**
   * Signs in a user to whom the server has given credentials in another way, e.g. by a registration; see `Session.enter`.
   * Rejects under `ContextTokenProvider`: the SDK signs in. The same function at every render.
   */
  readonly enter: (...args: EnterArgs) => Promise<User | undefined>;
  /**
   * Signs out; see `Session.logout`. For `onClick={() => logout()}` and `onClick={logout}`: a failure causes no unhandled
   * rejection, but is in `error`, and `unconfirmed` is `'logout'`. The same function at every render.
   */
  readonly logout: (...args: LogoutArgs) => Promise<void>;
  /**
   * Gets fresh credentials; while no user is signed in, checks again for an existing session. See `Session.refresh`. The
   * same function at every render.
   */
  readonly refresh: () => Promise<void>;
  /** Asks the server again who the user is; see `Session.reload`. The same function at every render. */
  readonly reload: () => Promise<User>;
}

/** The user and the arguments of a session's type. */
type AuthOf<S> =
  S extends Session<infer User, infer LoginArgs, infer LogoutArgs, infer EnterArgs>
    ? Auth<User, LoginArgs, LogoutArgs, EnterArgs>
    : never;

/**
 * Returns the status, the user, the reason for a sign-out, the last error, and the actions `login`, `enter`, `logout`, `refresh` and `reload`.
 * Re-renders when one of these values changes, never when the credentials are refreshed. With the session's option `user`, the user is the
 * record in the store: each change of it shows in the commit that shows it elsewhere.
 *
 * @typeParam S The session's type, where an app has several. @default the one that `Register` names
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const { status, user, logout } = useAuth();
 */
export function useAuth<S = RegisteredSession>(): AuthOf<S> {
  const session = useSessionCore('useAuth()');
  const getShown = useContext(SnapshotContext);
  const { status, user, reason, error, unconfirmed } = useFreshSnapshot(
    session.subscribe,
    getShown ?? session.getSnapshot,
    getShown ?? session.getServerSnapshot,
  );
  return useMemo(() => {
    const { login, enter, logout, refresh, reload } = session;
    return { status, user, reason, error, unconfirmed, login, enter, logout, refresh, reload } as AuthOf<S>;
  }, [session, status, user, reason, error, unconfirmed]);
}
