import { useCallback, useRef, useState } from 'react';

/** How something stands that a person has started. */
export interface AsyncActionState {
  /** True while something is under way. */
  readonly pending: boolean;
  /** Why the last one failed; undefined once another one starts. */
  readonly error: Error | undefined;
}

export const IDLE: AsyncActionState = { pending: false, error: undefined };

export interface AsyncActions {
  /** Of each key that something is under way for, or has failed for. The same object while it stays the same. */
  readonly states: ReadonlyMap<unknown, AsyncActionState>;
  /** Watches a promise, and returns it. Nobody has to catch it: its failure is in the state of its key. */
  readonly run: <T>(key: unknown, start: () => Promise<T>) => Promise<T>;
}

interface Counted extends AsyncActionState {
  readonly running: number;
}

/** Follows what a person has started with each of several things: whether it is under way, and why it failed. */
export function useAsyncActions(): AsyncActions {
  const [states, setStates] = useState<ReadonlyMap<unknown, Counted>>(() => new Map());
  const latest = useRef(new Map<unknown, object>());

  const run = useCallback(<T>(key: unknown, start: () => Promise<T>): Promise<T> => {
    const token = {};
    latest.current.set(key, token);
    const note = (change: 1 | -1, error?: Error) => {
      const isLatest = latest.current.get(key) === token;
      setStates(now => {
        const { running = 0, error: known } = now.get(key) ?? {};
        const left = running + change;
        const told = isLatest ? error : known;
        const next = new Map(now).set(key, { running: left, pending: left > 0, error: told });
        if (left === 0 && !told) next.delete(key);
        return next;
      });
    };
    note(1);
    // Started inside a promise, so that a missing param rejects like any other failure.
    const promise = new Promise<T>(resolve => resolve(start()));
    promise.then(
      () => note(-1),
      (error: Error) => note(-1, error),
    );
    return promise;
  }, []);

  return { states, run };
}

export interface AsyncAction extends AsyncActionState {
  /** Watches a promise, and returns it. Nobody has to catch it: its failure is in `error`. */
  readonly run: <T>(start: () => Promise<T>) => Promise<T>;
}

/** Follows what a person has started: whether it is under way, and why it failed. */
export function useAsyncAction(): AsyncAction {
  const { states, run } = useAsyncActions();
  const { pending, error } = states.get(undefined) ?? IDLE;
  return { pending, error, run: useCallback(start => run(undefined, start), [run]) };
}
