import { useId, useRef, type ReactNode, type RefObject } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useSessionClock, type SessionClockView } from '../../sessionClock/useSessionClock.js';
import { useAsyncAction } from '../actions/useAsyncAction.js';
import { useWidgetLabels, type WidgetLabels } from '../labels/WidgetLabels.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import { ErrorText } from '../shared/ErrorView.js';
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
 * there (WCAG 2.4.11).
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
    return () => document.removeEventListener('focusin', onFocus);
  }, [region, isShown]);
}

/** Moves the warning to the other edge of the window, if it covers the focused element, and would not there. */
function moveOffFocus(warning: HTMLElement): void {
  const focused = document.activeElement;
  if (!focused || warning.contains(focused)) return;
  const { top, bottom, left, right } = warning.getBoundingClientRect();
  const element = focused.getBoundingClientRect();
  const covers = (from: number, to: number) =>
    from < element.bottom && to > element.top && left < element.right && right > element.left;
  if (!covers(top, bottom) || covers(innerHeight - bottom, innerHeight - top)) return;
  warning.dataset.edge = warning.dataset.edge === 'start' ? 'end' : 'start';
}

interface WarningProps {
  clock: SessionClockView;
  labels: WidgetLabels;
}

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
      <div className="dca-warning-buttons">
        {canStay && (
          <button
            type="button"
            className="dca-button"
            aria-describedby={id}
            aria-disabled={showsPending}
            onClick={staying.pending ? undefined : () => void staying.run(stay).catch(() => {})}
          >
            {labels.staySignedIn}
          </button>
        )}
        <button type="button" className="dca-button" onClick={() => void leaving.run(signOut).catch(() => {})}>
          {labels.signOutNow}
        </button>
      </div>
      {error && <ErrorText className="dca-form-error" error={error} labels={labels} />}
    </>
  );
}
