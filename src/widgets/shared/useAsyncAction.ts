import { useCallback, useState } from 'react';

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
  readonly states: ReadonlyMap<string, AsyncActionState>;
  /** Starts a call and returns its promise. The caller need not catch it: the state of its key holds the failure. */
  readonly run: <T>(key: string, start: () => Promise<T>) => Promise<T>;
}

/** Tracks the calls of one action: whether one is pending, and why the last one failed. */
export function useAsyncAction(): AsyncAction {
  const { states, run } = useAsyncActions();
  const { pending, error } = states.get(ONLY_KEY) ?? IDLE;
  return { pending, error, run: useCallback(start => run(ONLY_KEY, start), [run]) };
}

const ONLY_KEY = '';

interface CallsState extends AsyncActionState {
  readonly pendingCalls: number;
  /** The last call that was started: its error counts. */
  readonly latest: object;
}

/** What a call has thrown, as an error: a function of the app may throw a text, which is for the user. Other objects stay, such as a response. */
function toError(thrown: unknown): Error {
  if (typeof thrown === 'string') return new Error(thrown);
  if (typeof thrown === 'object' && thrown !== null) return thrown as Error;
  return new TypeError(`A promise was rejected with ${String(thrown)} in place of an error. Throw an Error.`);
}

/** Tracks the calls of several actions, e.g. one for each row. */
export function useAsyncActions(): AsyncActions {
  const [states, setStates] = useState<ReadonlyMap<string, CallsState>>(() => new Map());

  const run = useCallback(<T>(key: string, start: () => Promise<T>): Promise<T> => {
    const call = {};
    const begin = () =>
      setStates(current => {
        const pendingCalls = (current.get(key)?.pendingCalls ?? 0) + 1;
        return new Map(current).set(key, { pendingCalls, pending: true, error: undefined, latest: call });
      });
    const end = (callError?: Error) =>
      setStates(current => {
        const state = current.get(key);
        // In a transition, React may compute the end before it has the beginning, and computes it again then.
        if (!state) return current;
        const pendingCalls = state.pendingCalls - 1;
        const error = state.latest === call ? callError : state.error;
        const next = new Map(current).set(key, { ...state, pendingCalls, pending: pendingCalls > 0, error });
        if (pendingCalls === 0 && !error) next.delete(key);
        return next;
      });
    begin();
    // Called inside a promise, so that a missing param rejects like any other failure.
    const promise = new Promise<T>(resolve => resolve(start()));
    promise.then(
      () => end(),
      (thrown: unknown) => end(toError(thrown)),
    );
    return promise;
  }, []);

  return { states, run };
}
