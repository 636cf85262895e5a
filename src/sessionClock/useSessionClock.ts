import { createContext, useContext, useEffect, useReducer, useSyncExternalStore } from 'react';
import { QUIET, type ClockState, type RunningClock } from './RunningClock.js';

/** The clock of the nearest provider's session. */
export const SessionClockContext = /* @__PURE__ */ createContext<RunningClock | undefined>(undefined);

export interface SessionClockTickOptions {
  /** Renders again after each of these times while the session is ending, in milliseconds. @default never */
  readonly tick?: number | undefined;
}

/** The result of `useSessionClock`. */
export interface SessionClockView extends ClockState {
  /** Milliseconds until the session ends, at this render. Undefined when no end is known, or no user is signed in. */
  readonly endsIn: number | undefined;
  /**
   * Keeps the session: counts as activity in all tabs, and asks the server to continue it, by a refresh, `whoami` or
   * `profile`; with `endsAt` by a refresh and then `profile`. The same function at every render.
   *
   * @throws what `session.refresh()` or `session.reload()` throws; the activity counts all the same.
   */
  readonly stay: () => Promise<void>;
  /** Signs out now: `session.logout()`, or the `signOut` of the clock. The same function at every render. */
  readonly signOut: () => Promise<void>;
}

/**
 * Returns when the session ends, and what the user can do about it. Re-renders when the time of the warning begins and when it ends;
 * each second only with `tick`, and only in between.
 *
 * @throws TypeError when the provider above has no `clock`.
 * @example
 * const { isEnding, endsIn, stay } = useSessionClock({ tick: 1_000 });
 */
export function useSessionClock({ tick }: SessionClockTickOptions = {}): SessionClockView {
  // React Compiler, in an app that compiles its dependencies too, would cache the time that is left.
  'use no memo';
  const clock = useContext(SessionClockContext);
  if (!clock)
    throw new TypeError(
      'The provider above has no clock. Give it the prop `clock`: <TokenAuthProvider clock={sessionClock({ idle: { after: 15 * 60_000 } })}>.',
    );
  const state = useSyncExternalStore(clock.subscribe, clock.getState, getQuiet);
  const [, addTick] = useReducer((count: number) => count + 1, 0);
  const isTicking = tick !== undefined && state.isEnding;
  useEffect(() => (isTicking ? clock.tick(tick, addTick) : undefined), [clock, isTicking, tick]);
  return { ...state, endsIn: clock.getEndsIn(), stay: clock.stay, signOut: clock.signOut };
}

const getQuiet = () => QUIET;
