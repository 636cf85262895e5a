import { useMemo, useSyncExternalStore } from 'react';
import { useSessionCore } from '../endpoints/SessionContext.js';
import type { Session, SessionSnapshot } from '../session/session.js';

/** What `useAuth` returns: the snapshot of the session without its epoch, and what a user can do about it. */
export interface Auth<User = unknown, LoginArgs extends readonly unknown[] = readonly any[], LogoutArgs extends readonly unknown[] = []>
  extends Pick<SessionSnapshot<User>, 'status' | 'user' | 'reason' | 'error' | 'unconfirmed'> {
  /** Signs in; see `Session.login`. The same function at every render. */
  readonly login: (...args: LoginArgs) => Promise<User | undefined>;
  /** Signs out; see `Session.logout`. The same function at every render. */
  readonly logout: (...args: LogoutArgs) => Promise<void>;
  /** While no user is signed in, checks again for an existing session; see `Session.refresh`. The same function at every render. */
  readonly refresh: () => Promise<void>;
}

/** The user and the login arguments of a session's type. */
type AuthOf<S> = S extends Session<infer User, infer LoginArgs, infer LogoutArgs> ? Auth<User, LoginArgs, LogoutArgs> : never;

/**
 * Who is signed in, why nobody is, and how to change that. Re-renders when one of the returned values changes, never when
 * the credentials are refreshed.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const { status, user, logout } = useAuth<typeof session>();
 */
export function useAuth<S = Session<any, readonly any[]>>(): AuthOf<S> {
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
