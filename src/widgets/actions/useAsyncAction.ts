import { useCallback, useRef, useState } from 'react';

/** The state of something that the user has started. */
export interface AsyncActionState {
  /** True while a call is pending. */
  readonly pending: boolean;
  /** Why the last call failed; undefined once another call starts. */
  readonly error: Error | undefined;
}

export const IDLE: AsyncActionState = { pending: false, error: undefined };

interface AsyncAction extends AsyncActionState {
  /** Starts a call and returns its promise. The caller need not catch it: `error` holds the failure. */
  readonly run: <T>(start: () => Promise<T>) => Promise<T>;
}

export interface AsyncActions {
  /** One state for each key whose call is pending or has failed. The same object until that state changes. */
  readonly states: ReadonlyMap<unknown, AsyncActionState>;
  /** Starts a call and returns its promise. The caller need not catch it: the state of its key holds the failure. */
  readonly run: <T>(key: unknown, start: () => Promise<T>) => Promise<T>;
}

/** Tracks the calls of one action: whether one is pending, and why the last one failed. */
export function useAsyncAction(): AsyncAction {
  const { states, run } = useAsyncActions();
  const { pending, error } = states.get(undefined) ?? IDLE;
  return { pending, error, run: useCallback(start => run(undefined, start), [run]) };
}

interface CountedState extends AsyncActionState {
  readonly pendingCalls: number;
}

/** Tracks the calls of several actions, e.g. one for each row. */
export function useAsyncActions(): AsyncActions {
  const [states, setStates] = useState<ReadonlyMap<unknown, CountedState>>(() => new Map());
  const latestCalls = useRef(new Map<unknown, object>());

  const run = useCallback(<T>(key: unknown, start: () => Promise<T>): Promise<T> => {
    const call = {};
    latestCalls.current.set(key, call);
    const update = (change: 1 | -1, callError?: Error) => {
      const isLatest = latestCalls.current.get(key) === call;
      setStates(current => {
        const { pendingCalls: before = 0, error: previousError } = current.get(key) ?? {};
        const pendingCalls = before + change;
        const error = isLatest ? callError : previousError;
        const next = new Map(current).set(key, { pendingCalls, pending: pendingCalls > 0, error });
        if (pendingCalls === 0 && !error) next.delete(key);
        return next;
      });
    };
    update(1);
    // Called inside a promise, so that a missing param rejects like any other failure.
    const promise = new Promise<T>(resolve => resolve(start()));
    promise.then(
      () => update(-1),
      (error: Error) => update(-1, error),
    );
    return promise;
  }, []);

  return { states, run };
}
