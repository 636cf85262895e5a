import type { ReactNode } from 'react';
import { sessionCore } from '../endpoints/sessionCore.js';
import type { Session } from '../session/session.js';
import { AuthProvider } from './AuthProvider.js';

export interface CookieAuthProviderProps {
  /** Made once, outside React, by `createCookieSession`. */
  session: Session<unknown, never, never>;
  /** What may use the session: its hooks, and the resources hookified with the default `useInit`. */
  children: ReactNode;
}

/**
 * Gives the tree below it a session whose credential is a cookie, and a store for each identity.
 *
 * Asks once, by the session's `whoami`, whether somebody is signed in; requests started meanwhile wait for the answer. When
 * an identity is left, everything below is mounted anew on an empty store.
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
