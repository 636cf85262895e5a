import type { ReactNode } from 'react';
import { useAuth } from '../providers/useAuth.js';

export interface AuthenticatedProps {
  /** Shown while no user is signed in, e.g. `<LoginForm />`. @default nothing */
  fallback?: ReactNode;
  /** Shown while checking for an existing session. @default nothing */
  loading?: ReactNode;
  /** Shown while a user is signed in. Mounted again for each identity. */
  children: ReactNode;
}

/**
 * Shows its children only while a user is signed in.
 *
 * It hides content but does not protect data: the server must refuse requests that a user is not allowed to make.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * <Authenticated fallback={<LoginForm />} loading={<p>One moment…</p>}>
 *   <PaginatedList resource={ArticleResource} renderItem={article => article.title} />
 * </Authenticated>
 */
export function Authenticated({ fallback, loading, children }: AuthenticatedProps): ReactNode {
  const { status } = useAuth();
  const contentByStatus = { restoring: loading, anonymous: fallback, authenticated: children };
  return <>{contentByStatus[status]}</>;
}
