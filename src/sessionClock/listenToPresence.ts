import type { Clock } from '../clock.js';
import type { ClockedSession } from './clockedSession.js';
import { ServerCheck } from './ServerCheck.js';
import type { SessionClockOptions } from './RunningClock.js';

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
  session: ClockedSession,
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

/** Calls back when the page is used again after it was hidden, frozen or asleep. Returns the function that unsubscribes. */
function listenToReturn(onReturn: () => void): () => void {
  const page = globalThis.document as Document | undefined;
  const onFocus = ({ target, currentTarget }: Event) => {
    // In the capture phase, the window also gets the focus events of all fields.
    if (target === currentTarget) onReturn();
  };
  const onVisibilityChange = () => {
    if (page?.visibilityState === 'visible') onReturn();
  };
  page?.addEventListener?.('visibilitychange', onVisibilityChange, true);
  page?.addEventListener?.('resume', onReturn, true);
  globalThis.addEventListener?.('pageshow', onReturn, true);
  globalThis.addEventListener?.('focus', onFocus, true);
  return () => {
    page?.removeEventListener?.('visibilitychange', onVisibilityChange, true);
    page?.removeEventListener?.('resume', onReturn, true);
    globalThis.removeEventListener?.('pageshow', onReturn, true);
    globalThis.removeEventListener?.('focus', onFocus, true);
  };
}

const LISTENER_OPTIONS = { capture: true, passive: true };

/** The user has moved the pointer or pressed a key: the user is there. */
const ACTIVITY = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;

/**
 * While a warning is shown, an act counts when it is complete, so that the warning and its buttons do not disappear under
 * the pointer, or between the press of a button and its click.
 */
const ACTIVITY_DURING_WARNING = ['keyup', 'click', 'wheel'] as const;

/** Keys that lead to the buttons of a warning. */
const NAVIGATION_KEYS = ['Tab', 'Shift'];

/**
 * Calls back with the time when the user does something on the page. Returns the function that unsubscribes. Does nothing on a server.
 *
 * Events that a script dispatches count too: a script of the page could call `stay()` as well, and tests dispatch them.
 */
function listenToUser(onActivity: (at: number) => void, isWarned: () => boolean, clock: Clock): () => void {
  let place: string | undefined;
  const hasMoved = ({ screenX, screenY }: PointerEvent) => {
    // Browsers send a `pointermove` for a pointer that rests, when the page below it moves.
    const before = place;
    place = `${screenX} ${screenY}`;
    return before !== undefined && before !== place;
  };
  const onAct = (event: Event) => {
    if (event.type === 'pointermove' && !hasMoved(event as PointerEvent)) return;
    if (!isWarned()) onActivity(clock.now());
  };
  const onActDuringWarning = (event: Event) => {
    if (!isWarned() || NAVIGATION_KEYS.includes((event as KeyboardEvent).key)) return;
    // After the page's own listeners: a button of the warning comes first.
    const at = clock.now();
    clock.setTimeout(() => onActivity(at), 0);
  };
  for (const type of ACTIVITY) globalThis.addEventListener?.(type, onAct, LISTENER_OPTIONS);
  for (const type of ACTIVITY_DURING_WARNING) globalThis.addEventListener?.(type, onActDuringWarning, LISTENER_OPTIONS);
  return () => {
    for (const type of ACTIVITY) globalThis.removeEventListener?.(type, onAct, LISTENER_OPTIONS);
    for (const type of ACTIVITY_DURING_WARNING)
      globalThis.removeEventListener?.(type, onActDuringWarning, LISTENER_OPTIONS);
  };
}
