import { useState, type ReactNode } from 'react';
import { startCookieSession } from '../mechanisms/cookie/createCookieSession.js';
import { sessionCore } from '../endpoints/sessionCore.js';
import type { Session } from '../session/session.js';
import type { UserAnswer } from '../session/userClass.js';
import { AuthProvider } from './AuthProvider.js';
import type { OnError } from './failureReport.js';
import type { StoreProps } from './StoreProps.js';

export interface CookieAuthProviderProps<User = unknown> extends StoreProps {
  /** A session from `createCookieSession`. Create it once, outside React. */
  session: Session<User, never, never>;
  /**
   * The user that the server already knew when it rendered the page; null if no user was signed in. See the option `initial` of
   * `createCookieSession`, which also serves loaders. Read at the first render, and ignored once the session has started a check
   * or a login or logout has ended. @default not known: the session calls `whoami`
   */
  initial?: NoInfer<UserAnswer<User>> | null | undefined;
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
 * Provides a session whose credential is a cookie, and a new store for each identity.
 *
 * Calls the session's `whoami` once to check for an existing session, unless `initial` says who is signed in. Requests that
 * start during the check wait for its result. When the identity ends, React remounts everything below on an empty store.
 *
 * @throws TypeError when `session` is not one of the kit's, or `initial` is given with a session of another kind; Error when
 * `initial` names a user on a server and the session was made without `server: true`.
 * @example
 * <CookieAuthProvider session={session}>
 *   <Authenticated fallback={<LoginForm />}>…</Authenticated>
 * </CookieAuthProvider>
 */
export function CookieAuthProvider<User>({ session, initial, ...props }: CookieAuthProviderProps<User>) {
  // During the first render, so that it shows the user already. Idempotent, because React may render twice.
  useState(() => initial !== undefined && startCookieSession(session, initial));
  return <AuthProvider {...props} session={sessionCore(session)} />;
}
