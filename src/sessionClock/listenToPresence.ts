import type { Clock } from '../clock.js';
import type { SessionCore } from '../session/core.js';
import { listenToReturn } from './listenToReturn.js';
import { listenToUser } from './listenToUser.js';
import { ServerCheck } from './ServerCheck.js';
import type { SessionClockOptions } from './sessionClock.js';

interface PageHandlers {
  /** The user comes back to the page. Called before the server is asked. */
  readonly onReturn: () => void;
  /** The user has done something on the page, at this time. Never called without the option `idle`. */
  readonly onActivity: (at: number) => void;
  /** True while a warning is shown. */
  readonly isWarned: () => boolean;
}

/** Listens to the user of a page, and asks the server again as `recheck` says. Returns the function that ends both. */
export function listenToPresence(
  session: SessionCore,
  { idle, recheck }: Pick<SessionClockOptions<unknown>, 'idle' | 'recheck'>,
  clock: Clock,
  { onReturn, onActivity, isWarned }: PageHandlers,
): () => void {
  const serverCheck = recheck && new ServerCheck(session, recheck, clock);
  const stops = [
    // First: an end must come before the page's listeners, and the session's own, send anything.
    listenToReturn(() => {
      onReturn();
      serverCheck?.onShown();
    }),
    idle && listenToUser(onActivity, isWarned, clock),
    serverCheck?.start(),
  ];
  return () => {
    for (const stop of stops) stop?.();
  };
}
