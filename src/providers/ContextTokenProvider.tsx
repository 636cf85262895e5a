import { useEffect, useRef, useState } from 'react';
import type { ContextCredential } from '../mechanisms/context.js';
import { createContextSession } from '../mechanisms/context.js';
import type { ProfileOption } from '../mechanisms/profile.js';
import type { GetToken } from '../mechanisms/SdkSessionOptions.js';
import type { TokenHeaderOptions } from '../mechanisms/tokenHeader.js';
import type { ExtensionsOption } from '../session/extension.js';
import type { UserOption } from '../session/userClass.js';
import { AuthProvider } from './AuthProvider.js';
import { listenToExpiry } from './listenToExpiry.js';
import type { ProviderProps } from './ProviderProps.js';
import { useBeforePaint } from './useBeforePaint.js';
import { useLatest } from './useLatest.js';

/** `header`, `user`, `profile` and `extensions` are read at the first render. */
export interface ContextTokenProviderProps
  extends ProviderProps, TokenHeaderOptions, ProfileOption, UserOption<unknown>, ExtensionsOption {
  /** The token, from a context or state above. Null or undefined while the user is signed out. */
  token?: string | null | undefined;
  /**
   * Gets the token from the SDK. Called each time a request is sent. With `forceRefresh` the SDK must not use its cache: after a 401, and
   * when the token may belong to another user. Null while `subject` names a user means that no token is available now: the request
   * rejects with `RefreshUnavailableError`, and the user stays signed in. Null without a `subject` means that the user is signed out.
   * May be a new function at every render.
   */
  getToken?: GetToken | undefined;
  /**
   * The id of the signed-in user in the SDK. Null while no user is signed in: only null signs the user out. Use one subject for each
   * user: when a token's `sub` belongs to another subject, the session does not send it, and the request rejects with
   * `RefreshUnavailableError` until `getToken` and `subject` agree. A `sub` that differs from its subject costs one forced refresh for
   * each user. Without `subject`, the session reads the `sub` of a JWT. For tokens in another format, every new `token` then counts as
   * another user, and the session refuses the tokens of `getToken`.
   */
  subject?: string | null | undefined;
  /** The only origins that get the token. Read at the first render. @default the page's own and each endpoint's `urlPrefix` */
  trustedOrigins?: readonly string[] | undefined;
  /**
   * Starts a new sign-in with the SDK. Called once when the server refuses the token and the session cannot get a new one.
   * If it returns a promise, the session calls `getToken` again after the promise resolves, so that the same user is signed in again.
   */
  onExpired?: (() => void | Promise<unknown>) | undefined;
}

/**
 * Provides a session whose token comes from a component above: Auth0, Clerk, Firebase, an OIDC client, or your own context.
 *
 * A new token of the same `subject` re-renders nothing below, and even earlier callbacks use it. Another `subject` is another
 * identity: React remounts everything below on an empty store.
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
export function ContextTokenProvider({
  token,
  getToken,
  subject,
  header,
  trustedOrigins,
  user,
  profile,
  extensions,
  onExpired,
  ...props
}: ContextTokenProviderProps) {
  const [context] = useState(() =>
    createContextSession({ header, trustedOrigins, user, profile, extensions }, { token, getToken, subject }),
  );
  const latestOnExpired = useLatest(onExpired);

  useEffect(() => listenToExpiry(context.session, () => latestOnExpired.current?.()), [context, latestOnExpired]);

  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      // In a microtask, because StrictMode ends an effect and starts it again immediately.
      queueMicrotask(() => isMounted.current || context.close());
    };
  }, [context]);

  return (
    <>
      <ContextUpdate context={context} token={token} getToken={getToken} subject={subject} />
      <AuthProvider {...props} session={context.session} />
    </>
  );
}

interface ContextUpdateProps extends ContextCredential {
  context: ReturnType<typeof createContextSession>;
}

/**
 * Gives the session the props of each render that is shown, and again when `<Activity>` shows a hidden provider.
 *
 * Rendered before the components below, so that their effects come after it: they never act for one user with the token of another.
 */
function ContextUpdate({ context, token, getToken, subject }: ContextUpdateProps) {
  useBeforePaint(() => {
    context.update({ token, getToken, subject });
  });
  return null;
}
