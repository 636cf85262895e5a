import { useId, useRef, type ReactNode, type RefObject } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useSessionClock, type SessionClockView } from '../../sessionClock/useSessionClock.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import { ErrorText } from '../shared/ErrorView.js';
import { getFocused } from '../shared/focus.js';
import { useAsyncAction } from '../shared/useAsyncAction.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';

export interface SessionWarningProps {
  /** Overrides for built-in texts. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** Added to the class `dca-warning`. */
  className?: string | undefined;
}

/**
 * Says that the session is about to end, with the time that is left and two buttons: stay signed in, sign out now. Shown from the `warn` of
 * the provider's `clock` on, and gone when the user does something in any tab.
 *
 * Screen readers announce it once, and not each second. It does not take the focus: the user goes on typing, which is activity. Place it
 * once, anywhere below the provider; its styles put it at the lower edge of the window, and at the upper one while the focused element is
 * there. In a window that is too low for that, the page scrolls (WCAG 2.4.11).
 *
 * @throws TypeError when the provider above has no `clock`.
 * @example
 * <TokenAuthProvider session={session} clock={sessionClock({ idle: { after: 15 * 60_000 } })}>
 *   <SessionWarning />
 *   …
 * </TokenAuthProvider>
 * @see https://www.w3.org/WAI/WCAG22/Understanding/timing-adjustable.html
 */
export function SessionWarning({ labels: overrides, className }: SessionWarningProps): ReactNode {
  const labels = useWidgetLabels(overrides);
  const clock = useSessionClock({ tick: 1_000 });
  const region = useRef<HTMLDivElement>(null);
  const focusedBefore = useRef<HTMLElement | null>(null);
  useRestoreFocus(region, () => focusedBefore.current);
  useUncoveredFocus(region, clock.isEnding);
  if (!clock.isEnding) return null;
  return (
    <div
      ref={region}
      className={['dca-warning', className].filter(Boolean).join(' ')}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget))
          focusedBefore.current = relatedTarget as HTMLElement;
      }}
    >
      <Warning clock={clock} labels={labels} />
    </div>
  );
}

/** Keeps the warning away from the focused element, by the attribute `data-edge`. */
function useUncoveredFocus(region: RefObject<HTMLElement | null>, isShown: boolean): void {
  useBeforePaint(() => {
    if (!isShown) return;
    const uncover = () => region.current && moveOffFocus(region.current);
    uncover();
    // A frame later: the browser may scroll to the element first.
    const onFocus = () => requestAnimationFrame(uncover);
    document.addEventListener('focusin', onFocus);
    // Its time and its messages may take another line.
    const sizes = typeof ResizeObserver === 'function' ? new ResizeObserver(uncover) : undefined;
    if (region.current) sizes?.observe(region.current);
    return () => {
      document.removeEventListener('focusin', onFocus);
      sizes?.disconnect();
    };
  }, [region, isShown]);
}

/**
 * Moves the warning to the other edge of the window, if it covers the focused element. Where the window is so low that it covers the element
 * there too, as with a zoom of 400 %, the page scrolls.
 */
function moveOffFocus(warning: HTMLElement): void {
  const focused = getFocused(warning);
  if (!focused || warning.contains(focused) || !covers(warning, focused)) return;
  const edge = warning.dataset.edge === 'start' ? 'end' : 'start';
  warning.dataset.edge = edge;
  if (!covers(warning, focused)) return;
  warning.dataset.edge = edge === 'start' ? 'end' : 'start';
  // Not for a large element, such as a focused <main>, nor below a pointer that is pressed.
  const room = innerHeight - warning.getBoundingClientRect().bottom + warning.getBoundingClientRect().top;
  if (focused.getBoundingClientRect().height > room - 2 * MARGIN_PX || !focused.matches(':focus-visible')) return;
  // At the start of a page only one of these is possible, and at its end only the other.
  for (const block of ['end', 'start'] as const) {
    warning.dataset.edge = block === 'end' ? 'start' : 'end';
    focused.scrollIntoView({ block, behavior: 'instant' });
    if (!covers(warning, focused)) return;
  }
}

/** Between the warning and the edge of the window, as in the stylesheet. */
const MARGIN_PX = 16;

function covers(warning: Element, focused: Element): boolean {
  const [cover, element] = [warning.getBoundingClientRect(), focused.getBoundingClientRect()];
  const isInLine = cover.left < element.right && cover.right > element.left;
  return isInLine && cover.top < element.bottom && cover.bottom > element.top;
}

type WarningProps = { clock: SessionClockView; labels: WidgetLabels };

/** Mounted for one warning: a failure of an earlier one is not shown. */
function Warning({ clock: { cause = 'idle', canStay, endsIn = 0, stay, signOut }, labels }: WarningProps): ReactNode {
  const id = useId();
  const staying = useAsyncAction();
  const leaving = useAsyncAction();
  const showsPending = useDelayedFlag(staying.pending);
  const error = staying.error ?? leaving.error;
  return (
    <>
      <div role="alert">
        {/* Without the time: screen readers read a changed description of the focused button. */}
        <p id={id}>{labels.sessionEnding(cause, canStay)}</p>
        {/* Not announced each second: a timer is no live region. */}
        <p role="timer" aria-live="off">
          {labels.timeLeft(Math.ceil(endsIn / 1_000))}
        </p>
      </div>
      <div className="dca-buttons">
        <button type="button" className="dca-button" onClick={() => void leaving.run(signOut).catch(() => {})}>
          {labels.signOutNow}
        </button>
        {canStay && (
          <button
            type="button"
            className="dca-button dca-primary"
            aria-describedby={id}
            aria-disabled={showsPending}
            onClick={staying.pending ? undefined : () => void staying.run(stay).catch(() => {})}
          >
            {labels.staySignedIn}
          </button>
        )}
      </div>
      {error && <ErrorText className="dca-form-error" error={error} labels={labels} />}
    </>
  );
}
