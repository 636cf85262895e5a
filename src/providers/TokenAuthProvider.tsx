import type { ReactNode } from 'react';
import { sessionCore } from '../endpoints/sessionCore.js';
import type { Session } from '../session/session.js';
import { AuthProvider } from './AuthProvider.js';

export interface TokenAuthProviderProps {
  /** Made once, outside React, by `createTokenSession`, or by `createSession` with a mechanism of your own. */
  session: Session<unknown, never, never>;
  /** What may use the session: its hooks, and the resources hookified with the default `useInit`. */
  children: ReactNode;
}

/**
 * Gives the tree below it a session whose credential is a token in a header (or any session of `createSession`), and a store for each identity.
 *
 * The token is read when a request is sent: neither a refresh nor a new token re-renders anything. When an identity is
 * left, everything below is mounted anew on an empty store.
 *
 * @throws TypeError when `session` is not one of the kit's.
 * @example
 * <TokenAuthProvider session={session}>
 *   <Authenticated fallback={<LoginForm />}>…</Authenticated>
 * </TokenAuthProvider>
 */
export function TokenAuthProvider({ session, children }: TokenAuthProviderProps) {
  return <AuthProvider session={sessionCore(session)}>{children}</AuthProvider>;
}
