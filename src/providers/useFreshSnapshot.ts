import { useReducer, useSyncExternalStore } from 'react';
import { useBeforePaint } from './useBeforePaint.js';

/**
 * `useSyncExternalStore` for what nobody else may see. React disconnects a tree that `<Activity>` hides from its sources, and connects it
 * again after the browser has painted it: the user before could be shown for a moment. This renders the snapshot of now before that paint.
 *
 * @see https://react.dev/reference/react/Activity
 */
export function useFreshSnapshot<T>(
  subscribe: (listener: () => void) => () => void,
  getSnapshot: () => T,
  getServerSnapshot: () => T,
): T {
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot);
  const [, renderAgain] = useReducer((renders: number) => renders + 1, 0);
  // React runs it again when the tree is shown again.
  useBeforePaint(() => {
    if (!Object.is(getSnapshot(), snapshot)) renderAgain();
  }, [getSnapshot, snapshot]);
  return snapshot;
}
