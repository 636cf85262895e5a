import { IdentityStore } from '../dataClient/IdentityStore.js';
import type { SessionCore } from '../session/extension.js';
import { AuthContexts } from './AuthContexts.js';
import { useReportFailureTo } from './failureReport.js';
import { NotifyRouters } from './NotifyRouters.js';
import { wrapText } from '../wrapText.js';
import type { ProviderProps } from './ProviderProps.js';
import { useBeforePaint } from './useBeforePaint.js';
import { useCurrentStore } from './useCurrentStore.js';
import { UserProvider } from './UserProvider.js';
import { useSessionChangeWarning } from './useSessionChangeWarning.js';

interface AuthProviderProps extends ProviderProps {
  session: SessionCore;
}

/**
 * The provider inside the three public ones. It provides a session, and a new store for each identity.
 *
 * When the identity ends, React unmounts the store and the whole tree, and the endpoints and the controller that the old
 * screen captured stop working. When a signed-out user signs in, the tree stays mounted and `SignInManager` empties the store, so
 * that mounted lists fetch their data again.
 */
export function AuthProvider({
  session,
  onError,
  managers,
  Controller,
  devButton,
  gcPolicy,
  can,
  clock,
  onExpiry,
  children,
}: AuthProviderProps) {
  useSessionChangeWarning(session);
  const reportFailure = useReportFailureTo(onError);
  const { storeGeneration, bound, parts } = useCurrentStore(session, { managers, Controller });
  useBeforePaint(() => onExpiry?.attach(session), [onExpiry, session]);
  const running = clock?.(session);
  // Before the session subscribes to the page: a session that is over must not send anything first.
  useBeforePaint(() => running?.start(), [running]);
  const content = wrapText(children);
  return (
    <AuthContexts bound={bound} reportFailure={reportFailure} can={can} clock={running} lock={onExpiry}>
      <IdentityStore key={`${session.id}.${storeGeneration}`} parts={parts} devButton={devButton} gcPolicy={gcPolicy}>
        {parts.userRecord ? (
          <UserProvider session={session} record={parts.userRecord}>
            {content}
          </UserProvider>
        ) : (
          content
        )}
        {storeGeneration > 0 && <NotifyRouters session={session} />}
      </IdentityStore>
    </AuthContexts>
  );
}
