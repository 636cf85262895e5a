import type { SessionClockOptions } from 'data-client-auth/clock';

let aheadMs = 0;
const restartTimers = new Set<() => void>();
const now = () => Date.now() + aheadMs;

/** A clock that the demo's button puts forward. An app does not need one. */
export const demoClock: NonNullable<SessionClockOptions<unknown>['clock']> = {
  now,
  setTimeout(callback, delayMs) {
    const dueAt = now() + delayMs;
    let timer: ReturnType<typeof setTimeout>;
    const cancel = () => {
      clearTimeout(timer);
      restartTimers.delete(start);
    };
    const start = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        cancel();
        callback();
      }, dueAt - now());
    };
    restartTimers.add(start);
    start();
    return cancel;
  },
};

/** Puts the clock forward, as if the user had left the computer for this time. */
export function leaveFor(ms: number): void {
  aheadMs += ms;
  for (const start of [...restartTimers]) start();
}
