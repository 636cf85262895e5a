import type { ReactNode } from 'react';
import type { BoundSession } from '../endpoints/boundSession.js';
import { SessionContext } from '../endpoints/SessionContext.js';
import { LockContext, type ExpiryLock } from './ExpiryLock.js';
import type { Permissions } from '../permissions/PermissionAnswers.js';
import { PermissionsContext } from '../permissions/usePermissionAnswers.js';
import type { RunningClock } from '../sessionClock/RunningClock.js';
import { SessionClockContext } from '../sessionClock/useSessionClock.js';
import { ReportFailureContext, type ReportFailure } from './failureReport.js';

interface AuthContextsProps {
  bound: BoundSession;
  reportFailure: ReportFailure;
  can: Permissions | undefined;
  clock: RunningClock | undefined;
  lock: ExpiryLock | undefined;
  children: ReactNode;
}

/** What the hooks and components below a provider read from it. Each context keeps its value while the identity lasts. */
export function AuthContexts({ bound, reportFailure, can, clock, lock, children }: AuthContextsProps) {
  return (
    <SessionContext.Provider value={bound}>
      <ReportFailureContext.Provider value={reportFailure}>
        <PermissionsContext.Provider value={can}>
          <SessionClockContext.Provider value={clock}>
            <LockContext.Provider value={lock}>{children}</LockContext.Provider>
          </SessionClockContext.Provider>
        </PermissionsContext.Provider>
      </ReportFailureContext.Provider>
    </SessionContext.Provider>
  );
}
