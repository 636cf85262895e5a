import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import type { PendingDeletion } from './useDeleteConfirmation.js';

interface UndoBarProps {
  pendingDeletion: PendingDeletion;
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
  useRestoreFocus(region, () => button.current);
  // Without the bar the user has no button to leave, so the time would never run again.
  const { resume } = pendingDeletion;
  useEffect(() => resume, [resume]);

  const setPaused = (by: 'pointer' | 'keyboard', isPaused: boolean) => {
    const before = { ...pausedBy.current };
    pausedBy.current[by] = isPaused;
    const { pointer, keyboard } = pausedBy.current;
    if (pointer || keyboard) pendingDeletion.pause();
    else if (before.pointer || before.keyboard) pendingDeletion.resume();
  };

  return (
    // Not `onPointerEnter`: a bar that appears under a resting pointer would wait for ever.
    <div
      className="dca-undo"
      onPointerMove={() => setPaused('pointer', true)}
      onPointerLeave={() => setPaused('pointer', false)}
    >
      <p id={id} role="status">
        {labels.deleted(pendingDeletion.itemLabel)}
      </p>
      {pendingDeletion.isOpen && (
        <button
          ref={button}
          type="button"
          className="dca-button"
          aria-describedby={id}
          // Only a focus that came by keyboard pauses: a click moves the focus here as well.
          onFocus={({ target }) => setPaused('keyboard', target.matches(':focus-visible'))}
          onBlur={() => setPaused('keyboard', false)}
          onClick={() => pendingDeletion.decide('cancel')}
        >
          {labels.undo}
        </button>
      )}
    </div>
  );
}
