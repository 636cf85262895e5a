import { createContext, useCallback, useRef, type ReactNode } from 'react';
import { useUserRecord, type UserRecord } from '../dataClient/UserRecord.js';
import { keepIfEqual } from '../keepIfEqual.js';
import type { SessionCore } from '../session/extension.js';
import type { SessionSnapshot } from '../session/session.js';
import { useFreshSnapshot } from './useFreshSnapshot.js';

/** Returns the session's snapshot with the user of the store. Undefined: the session's own snapshot is the one to show. */
export const SnapshotContext = /* @__PURE__ */ createContext<(() => SessionSnapshot) | undefined>(undefined);

interface UserProviderProps {
  session: SessionCore;
  record: UserRecord;
  children: ReactNode;
}

/**
 * Provides the user as the store has them. It renders at each change of the store, in the same commit as the rows of a list; what reads
 * the user renders only when a field of the user has changed.
 */
export function UserProvider({ session, record, children }: UserProviderProps) {
  const snapshot = useFreshSnapshot(session.subscribe, session.getSnapshot, session.getServerSnapshot);
  const stored = useUserRecord(record);
  const last = useRef<SessionSnapshot>(undefined);
  // React renders a change of the session before one of the store. A store that an app has emptied keeps the user who is shown.
  const user =
    snapshot.status === 'authenticated' || snapshot.status === 'locked'
      ? keepIfEqual(last.current?.user, stored ?? last.current?.user ?? record.read())
      : undefined;
  const shown = keepIfEqual(last.current, { ...snapshot, user });
  // Writing the ref during render is safe: for an equal snapshot the result is the same, even if React renders several times.
  last.current = shown;
  return <SnapshotContext.Provider value={useCallback(() => shown, [shown])}>{children}</SnapshotContext.Provider>;
}
