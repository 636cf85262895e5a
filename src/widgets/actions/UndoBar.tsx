import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { labelWithName } from '../labels/labelWithName.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { UNDO_TIMEOUT_MS, type WaitingDeletion } from './useDeleteConfirmation.js';

interface UndoBarProps {
  pendingDeletion: WaitingDeletion;
  labels: WidgetLabels;
  /** The element around the bar. If the deleted record had the focus, the button gets it. */
  region: RefObject<HTMLElement | null>;
}

/**
 * Replaces a record that will be deleted, with a button to undo it. The time does not run while the pointer is on the
 * bar or the keyboard focus is on the button.
 */
export function UndoBar({ pendingDeletion, labels, region }: UndoBarProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const pausedBy = useRef({ pointer: false, keyboard: false });
  const [isPaused, setPaused] = useState(false);
  // Read before the record leaves the region: the bar takes as much room, so that nothing below moves.
  const [minBlockSize] = useState(() => measureContent(region.current));
  const [elapsed, setElapsed] = useState(pendingDeletion.getElapsed);
  useRestoreFocus(region, () => button.current);
  // Without the bar the user has no button to leave, so the time would never run again.
  const { pause, resume } = pendingDeletion;
  useEffect(() => {
    // StrictMode ends this effect and starts it again, when the button may have the focus already.
    if (pausedBy.current.pointer || pausedBy.current.keyboard) pause();
    return resume;
  }, [pause, resume]);

  const pauseBy = (by: 'pointer' | 'keyboard', pauses: boolean) => {
    const before = { ...pausedBy.current };
    pausedBy.current[by] = pauses;
    const { pointer, keyboard } = pausedBy.current;
    setPaused(pointer || keyboard);
    if (pointer || keyboard) {
      setElapsed(0);
      pendingDeletion.pause();
    } else if (before.pointer || before.keyboard) pendingDeletion.resume();
  };

  return (
    // Not `onPointerEnter`: a bar that appears under a resting pointer would wait for ever.
    <div
      className="dca-undo"
      data-time={pendingDeletion.isOpen ? (isPaused ? 'paused' : 'running') : undefined}
      // For the line that shows the time: it goes on where it was when the bar was last in the document.
      style={{ minBlockSize, animationDuration: `${UNDO_TIMEOUT_MS}ms`, animationDelay: `${-elapsed}ms` }}
      onPointerMove={() => pauseBy('pointer', true)}
      onPointerLeave={() => pauseBy('pointer', false)}
    >
      <p id={id}>{labelWithName(labels.deleted, pendingDeletion.itemLabel)}</p>
      {pendingDeletion.isOpen && (
        <button
          ref={button}
          type="button"
          className="dca-button"
          aria-describedby={id}
          // Only a focus that came by keyboard pauses: a click moves the focus here as well.
          onFocus={({ target }) => pauseBy('keyboard', target.matches(':focus-visible'))}
          onBlur={() => pauseBy('keyboard', false)}
          onClick={() => pendingDeletion.decide('cancel')}
        >
          {labels.undo}
        </button>
      )}
    </div>
  );
}

/** The height of an element without its padding and border. */
function measureContent(element: HTMLElement | null): number | undefined {
  if (!element) return undefined;
  const { paddingTop, paddingBottom, borderTopWidth, borderBottomWidth } = getComputedStyle(element);
  const edges = [paddingTop, paddingBottom, borderTopWidth, borderBottomWidth].map(parseFloat);
  return edges.reduce((height, edge) => height - edge, element.getBoundingClientRect().height);
}
