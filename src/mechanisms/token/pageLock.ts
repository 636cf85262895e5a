const NOTHING = () => {};

/** The last run for each storage key. Never rejects. */
const lastRuns = new Map<string, Promise<void>>();

/**
 * Runs the function while no other session of this page with the same storage key runs its own. For the session storage, which the
 * tabs do not share: after a hot update of the module that makes the session, a page has two sessions with one refresh token.
 */
export function withPageLock<T>(storageKey: string, run: () => Promise<T>): Promise<T> {
  const result = (lastRuns.get(storageKey) ?? Promise.resolve()).then(run);
  lastRuns.set(storageKey, result.then(NOTHING, NOTHING));
  return result;
}
