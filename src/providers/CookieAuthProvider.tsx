import { useState } from 'react';
import { startCookieSession } from '../mechanisms/cookie.js';
import { sessionCore } from '../endpoints/sessionCore.js';
import type { Session } from '../session/session.js';
import type { UserAnswer } from '../session/userClass.js';
import { AuthProvider } from './AuthProvider.js';
import type { ProviderProps } from './ProviderProps.js';

export interface CookieAuthProviderProps<User = unknown> extends ProviderProps {
  /** A session from `createCookieSession`. Create it once, outside React. */
  session: Session<User, never, never>;
  /**
   * The user that the server already knew when it rendered the page; null if no user was signed in. See the option `initial` of
   * `createCookieSession`, which also serves loaders. Read at the first render, and ignored once the session has started a check
   * or a login or logout has ended. @default not known: the session calls `whoami`
   */
  initial?: NoInfer<UserAnswer<User>> | null | undefined;
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
