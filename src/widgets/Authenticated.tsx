import type { ReactNode } from 'react';
import { useAuth } from '../providers/useAuth.js';

export interface AuthenticatedProps {
  /** Shown while nobody is signed in, e.g. `<LoginForm />`. @default nothing */
  fallback?: ReactNode;
  /** Shown while it is not known yet whether somebody is signed in. @default nothing */
  loading?: ReactNode;
  /** Shown to somebody who is signed in; mounted anew for each identity. */
  children: ReactNode;
}

/**
 * A gate: what is below it is on the screen only while somebody is signed in.
 *
 * It hides; it does not protect. What nobody may see, the server has to refuse.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * <Authenticated fallback={<LoginForm />} loading={<p>One moment…</p>}>
 *   <PaginatedList resource={ArticleResource} renderItem={article => article.title} />
 * </Authenticated>
 */
export function Authenticated({ fallback, loading, children }: AuthenticatedProps): ReactNode {
  const { status } = useAuth();
  const shown = { restoring: loading, anonymous: fallback, authenticated: children };
  return <>{shown[status]}</>;
}
