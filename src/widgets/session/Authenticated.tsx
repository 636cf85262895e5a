import { Suspense, useContext, type ReactNode } from 'react';
import { LockContext } from '../../providers/ExpiryLock.js';
import { useAuth } from '../../providers/useAuth.js';
import { wrapText } from '../../wrapText.js';

export interface AuthenticatedProps {
  /** Shown while no user is signed in, e.g. `<LoginForm />`. @default nothing */
  fallback?: ReactNode;
  /** Shown while checking for an existing session, and while a child without a `<Suspense>` of its own loads. @default nothing */
  loading?: ReactNode;
  /**
   * Shown in a dialog above the page while the session is locked, e.g. `<LoginForm />`; see `lock`. Give it to one
   * `<Authenticated>` of a page; the others only hide their children. @default nothing
   */
  locked?: ReactNode;
  /** Shown while a user is signed in. Mounted again for each identity; hidden while the session is locked. */
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
 *   <PaginatedList resource={Articles} renderItem={article => article.title} />
 * </Authenticated>
 */
export function Authenticated({ fallback, loading, locked, children }: AuthenticatedProps): ReactNode {
  const { status } = useAuth();
  const Screen = useContext(LockContext)?.Screen;
  if (status === 'restoring') return wrapText(loading);
  if (status === 'anonymous') return wrapText(fallback);
  const content = <Suspense fallback={loading}>{Screen ? children : wrapText(children)}</Suspense>;
  if (!Screen) return content;
  return (
    <Screen isLocked={status === 'locked'} prompt={locked}>
      {content}
    </Screen>
  );
}
