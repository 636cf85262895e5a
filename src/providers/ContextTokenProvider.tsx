import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createContextSession } from '../mechanisms/createContextSession.js';
import type { GetToken } from '../mechanisms/sdkToken.js';
import { AuthProvider } from './AuthProvider.js';
import { onExpiry } from './onExpiry.js';
import { useBeforePaint } from './useBeforePaint.js';

export interface ContextTokenProviderProps {
  /** The token, from a context or state above; null or undefined while nobody is signed in. */
  token?: string | null | undefined;
  /**
   * Asks the SDK for the token each time a request is sent; `forceRefresh` asks it to go past its own cache: after a 401, and where the
   * token may be another user's. Null while `subject` names a user means “not now”: the request rejects with `RefreshUnavailableError`,
   * and the user stays signed in. Null without a `subject` means that no user is signed in. May be a new function at every render.
   */
  getToken?: GetToken | undefined;
  /**
   * Who is signed in: the user id that the SDK knows; null while no user is, and only null signs the user out. One user needs
   * one subject: a token whose `sub` was seen under another subject is not sent, and the request rejects with
   * `RefreshUnavailableError` until `getToken` and `subject` agree. A `sub` that differs from its subject costs one fresh token for each user.
   * Left out, the `sub` of a token that is a JWT tells who it is; where the token is not a JWT, every new `token` counts as another user,
   * and what `getToken` gives is refused.
   */
  subject?: string | null | undefined;
  /** The header that carries the token. Read at the first render. @default 'Access-Token' */
  header?: string | undefined;
  /** The word before the token. Read at the first render. @default 'Bearer' in `Authorization`, none elsewhere */
  scheme?: string | undefined;
  /** The only origins that get the token. Read at the first render. @default the page's own and each endpoint's `urlPrefix` */
  trustedOrigins?: readonly string[] | undefined;
  /**
   * Called once when the server refuses the token and no fresh one can be had; the place to ask the SDK for a new sign-in.
   * When it returns a promise, `getToken` is asked again once that resolves, so that the same person comes back.
   */
  onExpired?: (() => void | Promise<unknown>) | undefined;
  /** What may use the session: its hooks, and the resources hookified with the default `useInit`. */
  children: ReactNode;
}

/**
 * Gives the tree below it a session whose token comes from a component above: Auth0, Clerk, Firebase, an OIDC client, or a
 * context of your own.
 *
 * A new token of the same `subject` re-renders nothing below and reaches even callbacks captured before it. Another
 * `subject` is another identity: everything below is mounted anew on an empty store.
 *
 * @throws TypeError when an entry of `trustedOrigins` is no origin.
 * @example
 * const { user, getAccessTokenSilently } = useAuth0();
 * <ContextTokenProvider
 *   subject={user?.sub ?? null}
 *   getToken={({ forceRefresh }) => getAccessTokenSilently({ cacheMode: forceRefresh ? 'off' : 'on' })}
 *   header="Authorization"
 * >
 *   …
 * </ContextTokenProvider>
 */
export function ContextTokenProvider({ token, getToken, subject, header, scheme, trustedOrigins, onExpired, children }: ContextTokenProviderProps) {
  const [context] = useState(() => createContextSession({ header, scheme, trustedOrigins }, { token, getToken, subject }));
  const onExpiredNow = useRef(onExpired);

  // Not in an effect after paint: what is below must not act for one person with the token of another.
  useBeforePaint(() => {
    onExpiredNow.current = onExpired;
    context.update({ token, getToken, subject });
  });

  useEffect(() => onExpiry(context.session, () => onExpiredNow.current?.()), [context]);

  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      // Not at once: StrictMode ends an effect only to start it anew.
      queueMicrotask(() => isMounted.current || context.close());
    };
  }, [context]);

  return <AuthProvider session={context.session}>{children}</AuthProvider>;
}
