import { sessionCore } from '../endpoints/sessionCore.js';
import type { Session } from '../session/session.js';
import { AuthProvider } from './AuthProvider.js';
import type { ProviderProps } from './ProviderProps.js';

export interface TokenAuthProviderProps extends ProviderProps {
  /** A session from `createTokenSession`, `createSdkSession`, or `createSession` with your own mechanism. Create it once, outside React. */
  session: Session<unknown, never, never>;
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
