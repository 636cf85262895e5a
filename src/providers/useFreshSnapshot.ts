import { useReducer, useSyncExternalStore } from 'react';
import { useBeforePaint } from './useBeforePaint.js';

/**
 * `useSyncExternalStore` for what the next user must not see. React unsubscribes a tree that `<Activity>` hides, and subscribes it again only
 * after the browser has painted it, so the page could show the data of an earlier user for a moment. This hook reads the snapshot before the
 * paint, and renders again if it has changed.
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
  // React runs this effect when it shows the tree again.
  useBeforePaint(() => {
    if (!Object.is(getSnapshot(), snapshot)) renderAgain();
  }, [getSnapshot, snapshot]);
  return snapshot;
}
