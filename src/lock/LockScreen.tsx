import { useId, useRef, type CSSProperties, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { useSessionCore } from '../endpoints/SessionContext.js';
import { useBeforePaint } from '../providers/useBeforePaint.js';
import type { LockScreenProps } from '../providers/ExpiryLock.js';
import { useWidgetLabels } from '../widgets/labels/WidgetLabels.js';
import { getFocused } from '../widgets/shared/focus.js';

/** Covers the page, also what the app renders in portals. Inline: it must cover without the stylesheet too. */
const COVER: CSSProperties = {
  position: 'fixed',
  inset: 0,
  boxSizing: 'border-box',
  width: '100%',
  height: '100%',
  maxWidth: 'none',
  maxHeight: 'none',
  margin: 0,
  border: 0,
  overflow: 'auto',
  background: 'Canvas',
  color: 'CanvasText',
};

/**
 * Hides its children while the session is locked, and keeps them mounted. `display: none` would lose the scroll positions
 * inside; `visibility: hidden` does not.
 */
export function LockScreen({ isLocked, prompt, children }: LockScreenProps): ReactNode {
  const kept = useRef<HTMLDivElement>(null);
  const dialog = useRef<HTMLDialogElement>(null!);
  const hasPrompt = prompt !== undefined;
  // No box of its own, so the app's layout does not change. `visibility` and `inert` pass through it. By hand: a content security policy may
  // forbid the attribute `style` in what a server has rendered.
  useBeforePaint(() => void (kept.current!.style.display = 'contents'), []);

  useBeforePaint(() => {
    const { current: region } = kept;
    if (!isLocked || !region) return undefined;
    const focused = getFocused(region);
    const { scrollX: left, scrollY: top } = window;
    if (dialog.current?.open === false) dialog.current.showModal();
    // Not as an attribute: React 18 and 19 write it differently.
    region.inert = true;
    region.style.visibility = 'hidden';
    return () => {
      region.inert = false;
      region.style.visibility = '';
      window.scrollTo({ left, top, behavior: 'instant' });
      // After an identity has ended, the element is about to be unmounted.
      if (hasPrompt && focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    };
  }, [isLocked, hasPrompt]);

  return (
    <>
      <div ref={kept} className="dca-lockable">
        {children}
      </div>
      {isLocked && hasPrompt && <LockDialog dialog={dialog}>{prompt}</LockDialog>}
    </>
  );
}

interface LockDialogProps {
  dialog: RefObject<HTMLDialogElement>;
  children: ReactNode;
}

/** Above every other dialog, and open until the session is not locked any more. */
function LockDialog({ dialog, children }: LockDialogProps): ReactNode {
  const session = useSessionCore('<Authenticated>');
  const labels = useWidgetLabels(undefined);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className="dca-locked"
      style={COVER}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      onCancel={event => event.preventDefault()}
      // A browser closes it in spite of that when Escape is pressed twice, or by the Back gesture of a phone.
      onClose={({ currentTarget }) => currentTarget.isConnected && currentTarget.showModal()}
    >
      <p id={id}>{labels.locked}</p>
      {children}
      <button type="button" className="dca-button" onClick={() => void session.logout()}>
        {labels.notMe}
      </button>
    </dialog>
  );
}
