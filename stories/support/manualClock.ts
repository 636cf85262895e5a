interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that only a story moves. All times are in milliseconds. */
export function manualClock() {
  let now = Date.now();
  let timers: Timer[] = [];
  const nextBefore = (end: number) => timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];

  return {
    now: () => now,
    setTimeout(callback: () => void, delayMs: number) {
      const timer = { at: now + delayMs, callback };
      timers.push(timer);
      return () => void (timers = timers.filter(other => other !== timer));
    },
    /** Moves the clock, and calls each timer at its time. */
    advance(ms: number) {
      const end = now + ms;
      for (let next = nextBefore(end); next; next = nextBefore(end)) {
        timers = timers.filter(timer => timer !== next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
    },
    /** Moves the clock and calls no timer, as when the computer sleeps. */
    sleep: (ms: number) => void (now += ms),
    reset() {
      now = Date.now();
      timers = [];
    },
  };
}
