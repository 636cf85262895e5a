import { useCallback, useSyncExternalStore } from 'react';
import { useBoundSession } from '../endpoints/SessionContext.js';
import { filesOf, NO_FILE, type FileState } from './sharedFiles.js';

/**
 * Reads a file as the current user. Components that use the same address share one request and one object URL, which is revoked when the
 * last of them is gone or the identity ends. A redirect to another origin is followed without the credential.
 *
 * @param address Null or undefined: none yet.
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const { url, error } = useFile(`/users/${id}/voice.mp3`);
 */
export function useFile(address: string | null | undefined): FileState {
  const bound = useBoundSession('useFile()');
  const files = useSyncExternalStore(
    bound.session.subscribeToSnapshot,
    () => filesOf(bound),
    () => undefined,
  );
  const subscribe = useCallback(
    (listener: () => void) => (files && address != null ? files.use(address, listener) : () => {}),
    [files, address],
  );
  return useSyncExternalStore(
    subscribe,
    () => files?.get(address) ?? NO_FILE,
    () => NO_FILE,
  );
}
