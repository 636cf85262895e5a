import { useCallback, useRef, useState } from 'react';

export interface Run {
  /** True while something is under way. */
  readonly pending: boolean;
  /** Why the last one failed; undefined once another one starts. */
  readonly error: Error | undefined;
  /** Watches a promise, and returns it. Nobody has to catch it: its failure is in `error`. */
  readonly run: <T>(start: () => Promise<T>) => Promise<T>;
}

/** Follows what a person has started: whether it is under way, and why it failed. */
export function useRun(): Run {
  const [running, setRunning] = useState(0);
  const [error, setError] = useState<Error>();
  const latest = useRef<object>(undefined);

  const run = useCallback(<T>(start: () => Promise<T>): Promise<T> => {
    const token = {};
    latest.current = token;
    setRunning(count => count + 1);
    setError(undefined);
    // Started inside a promise, so that a missing param rejects like any other failure.
    const promise = new Promise<T>(resolve => resolve(start()));
    promise
      .catch((failure: Error) => {
        if (latest.current === token) setError(failure);
      })
      .finally(() => setRunning(count => count - 1))
      .catch(() => undefined);
    return promise;
  }, []);

  return { pending: running > 0, error, run };
}
