interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a story moves it. Milliseconds. */
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
    /** The time passes, and each timer is called at its time. */
    advance(ms: number) {
      const end = now + ms;
      for (let next = nextBefore(end); next; next = nextBefore(end)) {
        timers = timers.filter(timer => timer !== next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
    },
    /** The computer sleeps: the time passes, and no timer is called. */
    sleep: (ms: number) => void (now += ms),
    reset() {
      now = Date.now();
      timers = [];
    },
  };
}
