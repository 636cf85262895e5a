import { useCallback } from 'react';
import { IDLE, useRuns, type RunState } from './useRuns.js';

export interface Run extends RunState {
  /** Watches a promise, and returns it. Nobody has to catch it: its failure is in `error`. */
  readonly run: <T>(start: () => Promise<T>) => Promise<T>;
}

/** Follows what a person has started: whether it is under way, and why it failed. */
export function useRun(): Run {
  const { states, run } = useRuns();
  const { pending, error } = states.get(undefined) ?? IDLE;
  return { pending, error, run: useCallback(start => run(undefined, start), [run]) };
}
