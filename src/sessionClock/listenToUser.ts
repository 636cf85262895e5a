import type { Clock } from '../clock.js';

const OPTIONS = { capture: true, passive: true };

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
export function listenToUser(onActivity: (at: number) => void, isWarned: () => boolean, clock: Clock): () => void {
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
  for (const type of ACTIVITY) globalThis.addEventListener?.(type, onAct, OPTIONS);
  for (const type of ACTIVITY_DURING_WARNING) globalThis.addEventListener?.(type, onActDuringWarning, OPTIONS);
  return () => {
    for (const type of ACTIVITY) globalThis.removeEventListener?.(type, onAct, OPTIONS);
    for (const type of ACTIVITY_DURING_WARNING) globalThis.removeEventListener?.(type, onActDuringWarning, OPTIONS);
  };
}
