import type { Clock } from '../../../src/clock.js';

/** A turn of the event loop: everything that waits for no timer and no held answer is done after a few. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise(resolve => setImmediate(resolve));
}

export interface ManualClock extends Clock {
  /** Moves on, and calls the timers that are due in their order. */
  advance(ms: number): Promise<void>;
  /** Sets the system clock back. Timers are called as late as before. */
  setBack(ms: number): void;
  /** Timers that were neither called nor cancelled. */
  readonly pending: number;
}

/** A clock that stands still until it is told to move. */
export function manualClock(start = Date.UTC(2030, 0, 1)): ManualClock {
  let now = start;
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => now,
    setTimeout(callback, delayMs) {
      const timer = { at: now + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)) {
        if (timers.delete(timer)) timer.callback();
      }
      await settle();
    },
    setBack(ms) {
      now -= ms;
      for (const timer of timers) timer.at -= ms;
    },
    get pending() {
      return timers.size;
    },
  };
}

/** Lets the time pass in steps of ten milliseconds until the promise is settled, half a minute at most. */
export async function until<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = () => void (isSettled = true);
  promise.then(settled, settled);
  await settle();
  for (let passed = 0; !isSettled && passed < 30_000; passed += 10) await clock.advance(10);
  return promise;
}

/** The system clock, but a late try of a young credential, a second after its refusal, is made at once. */
export const hastyClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, delayMs) {
    const timer = setTimeout(callback, delayMs > 1_000 ? delayMs : 0);
    return () => clearTimeout(timer);
  },
};
