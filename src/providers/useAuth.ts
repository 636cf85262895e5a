import { useMemo, useSyncExternalStore } from 'react';
import { useSessionCore } from '../endpoints/SessionContext.js';
import type { Session, SessionSnapshot } from '../session/session.js';

/**
 * Register the session of an app here, once, and `useAuth()` knows its user and its login arguments everywhere. Without it, the user
 * is `unknown` and `login` takes anything.
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
export type RegisteredSession = Register extends { session: infer S } ? S : Session<unknown, readonly unknown[]>;

/** The result of `useAuth`: the snapshot of the session without its epoch, and its verbs. */
export interface Auth<User = unknown, LoginArgs extends readonly unknown[] = readonly unknown[], LogoutArgs extends readonly unknown[] = []>
  extends Pick<SessionSnapshot<User>, 'status' | 'user' | 'reason' | 'error' | 'unconfirmed'> {
  /** Signs in; see `Session.login`. The same function at every render. */
  readonly login: (...args: LoginArgs) => Promise<User | undefined>;
  /** Signs out; see `Session.logout`. The same function at every render. */
  readonly logout: (...args: LogoutArgs) => Promise<void>;
  /** While no user is signed in, checks again for an existing session; see `Session.refresh`. The same function at every render. */
  readonly refresh: () => Promise<void>;
}

/** The user and the arguments of a session's type. */
type AuthOf<S> = S extends Session<infer User, infer LoginArgs, infer LogoutArgs> ? Auth<User, LoginArgs, LogoutArgs> : never;

/**
 * Who is signed in, why no user is, and the verbs that change it. Re-renders when one of the returned values changes, never when
 * the credentials are refreshed.
 *
 * @typeParam S The session's type, where an app has several. @default the one that `Register` names
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const { status, user, logout } = useAuth();
 */
export function useAuth<S = RegisteredSession>(): AuthOf<S> {
  const session = useSessionCore('useAuth()');
  const { status, user, reason, error, unconfirmed } = useSyncExternalStore(session.subscribe, session.getSnapshot, session.getServerSnapshot);
  return useMemo(
    () => {
      const { login, logout, refresh } = session;
      return { status, user, reason, error, unconfirmed, login, logout, refresh } as unknown as AuthOf<S>;
    },
    [session, status, user, reason, error, unconfirmed],
  );
}
