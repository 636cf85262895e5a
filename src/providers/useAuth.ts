import { useMemo, useSyncExternalStore } from 'react';
import { useSessionCore } from '../endpoints/SessionContext.js';
import type { Session, SessionSnapshot } from '../session/types.js';

/** What `useAuth` returns: the snapshot of the session without its epoch, and the two acts of a person. */
export interface Auth<User = unknown, LoginArgs extends readonly unknown[] = readonly any[], LogoutArgs extends readonly unknown[] = []>
  extends Pick<SessionSnapshot<User>, 'status' | 'user' | 'reason' | 'error'> {
  /** Signs in; see `Session.login`. The same function at every render. */
  readonly login: (...args: LoginArgs) => Promise<User | undefined>;
  /** Signs out; see `Session.logout`. The same function at every render. */
  readonly logout: (...args: LogoutArgs) => Promise<void>;
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
  const { status, user, reason, error } = useSyncExternalStore(session.subscribe, session.getSnapshot, session.getServerSnapshot);
  return useMemo(
    () => ({ status, user, reason, error, login: session.login, logout: session.logout }) as unknown as AuthOf<S>,
    [session, status, user, reason, error],
  );
}
