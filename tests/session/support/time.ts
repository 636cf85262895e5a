/** Time that jumps from one timer to the next. */
export function jumpingClock() {
  let now = 1_900_000_000_000;
  let timers: { readonly at: number; readonly call: () => void }[] = [];
  const after = (ms: number, call: () => void) => {
    const timer = { at: now + ms, call };
    timers.push(timer);
    return () => void (timers = timers.filter(other => other !== timer));
  };
  return {
    now: () => now,
    after,
    /** A timer of a moment runs when all that the earlier ones caused is done. */
    async pass(ms: number): Promise<void> {
      const end = now + ms;
      for (;;) {
        await new Promise(resolve => setImmediate(resolve));
        const next = timers.reduce<(typeof timers)[number] | undefined>(
          (first, timer) => (first && first.at <= timer.at ? first : timer),
          undefined,
        );
        if (!next || next.at > end) break;
        timers = timers.filter(other => other !== next);
        now = Math.max(now, next.at);
        next.call();
      }
      now = end;
    },
  };
}

/** Numbers from 0 to 1 that a seed decides. @see https://en.wikipedia.org/wiki/Linear_congruential_generator */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
