import type { ReactNode } from 'react';
import { sessionCore } from '../endpoints/sessionCore.js';
import type { Session } from '../session/session.js';
import { AuthProvider } from './AuthProvider.js';
import type { OnError } from './failureReport.js';
import type { StoreProps } from './StoreProps.js';

export interface TokenAuthProviderProps extends StoreProps {
  /** A session from `createTokenSession`, or from `createSession` with your own mechanism. Create it once, outside React. */
  session: Session<unknown, never, never>;
  /**
   * Called when a widget below fails to read or to write, whether it shows the error itself or by a slot: the place for toasts and error
   * trackers. Called once for each error, after the widget has it; a retry that fails is another error. Not called when the
   * identity has changed, when a request was aborted, for the sign-in, and for errors without a `status`, which widgets throw
   * to the nearest error boundary. An error that it throws is reported as uncaught. May be a new function at every render.
   */
  onError?: OnError | undefined;
  /** The tree that uses the session. Its hooks, and resources hookified with the default `useInit`, find the session here. */
  children: ReactNode;
}

/**
 * Provides a session whose credential is a token in a header (or any session of `createSession`), and a new store for each identity.
 *
 * The session reads the token when a request is sent, so a refresh or a new token re-renders nothing. When the identity ends,
 * React remounts everything below on an empty store.
 *
 * @throws TypeError when `session` is not one of the kit's.
 * @example
 * <TokenAuthProvider session={session}>
 *   <Authenticated fallback={<LoginForm />}>…</Authenticated>
 * </TokenAuthProvider>
 */
export function TokenAuthProvider({ session, ...props }: TokenAuthProviderProps) {
  return <AuthProvider {...props} session={sessionCore(session)} />;
}
