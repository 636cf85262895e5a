import type { ReactNode } from 'react';
import { sessionCore } from '../endpoints/sessionCore.js';
import type { Session } from '../session/session.js';
import { AuthProvider } from './AuthProvider.js';

export interface CookieAuthProviderProps {
  /** A session from `createCookieSession`. Create it once, outside React. */
  session: Session<unknown, never, never>;
  /** The tree that uses the session. Its hooks, and resources hookified with the default `useInit`, find the session here. */
  children: ReactNode;
}

/**
 * Provides a session whose credential is a cookie, and a new store for each identity.
 *
 * Calls the session's `whoami` once to check for an existing session. Requests that start during the check wait for its
 * result. When the identity ends, React remounts everything below on an empty store.
 *
 * @throws TypeError when `session` is not one of the kit's.
 * @example
 * <CookieAuthProvider session={session}>
 *   <Authenticated fallback={<LoginForm />}>…</Authenticated>
 * </CookieAuthProvider>
 */
export function CookieAuthProvider({ session, children }: CookieAuthProviderProps) {
  return <AuthProvider session={sessionCore(session)}>{children}</AuthProvider>;
}
