/** The page's clock as a session reads it, and a story sets it. Milliseconds. */
export function mockClock() {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    setTimeout(callback: () => void, delayMs: number) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    /** It is this much later now than it is. */
    set: (aheadMs: number) => void (ahead = aheadMs),
  };
}
