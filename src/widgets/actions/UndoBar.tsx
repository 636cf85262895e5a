import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import type { PendingDeletion } from './useDeleteConfirmation.js';

interface UndoBarProps {
  pendingDeletion: PendingDeletion;
  labels: WidgetLabels;
  /** What the note stands in; the focus that was on the deleted record goes to the button. */
  region: RefObject<HTMLElement | null>;
}

/** Stands in the place of a record that is about to be deleted. The time stands still while somebody is at the button. */
export function UndoBar({ pendingDeletion, labels, region }: UndoBarProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const pausedBy = useRef({ pointer: false, keyboard: false });
  useRestoreFocus(region, () => button.current);
  // Away from the page it does not stand still: nobody could set it going again.
  const { resume } = pendingDeletion;
  useEffect(() => resume, [resume]);

  const setPaused = (by: 'pointer' | 'keyboard', isHeld: boolean) => {
    const before = { ...pausedBy.current };
    pausedBy.current[by] = isHeld;
    const { pointer, keyboard } = pausedBy.current;
    if (pointer || keyboard) pendingDeletion.pause();
    else if (before.pointer || before.keyboard) pendingDeletion.resume();
  };

  return (
    // Not when it enters: a note that appears under a pointer at rest would wait for ever.
    <div className="dca-undo" onPointerMove={() => setPaused('pointer', true)} onPointerLeave={() => setPaused('pointer', false)}>
      <p id={id} role="status">
        {labels.deleted(pendingDeletion.name)}
      </p>
      {pendingDeletion.isOpen && (
        <button
          ref={button}
          type="button"
          className="dca-button"
          aria-describedby={id}
          // A click leaves the focus here as well; that is nobody's wish for more time.
          onFocus={({ target }) => setPaused('keyboard', target.matches(':focus-visible'))}
          onBlur={() => setPaused('keyboard', false)}
          onClick={() => pendingDeletion.answer('no')}
        >
          {labels.undo}
        </button>
      )}
    </div>
  );
}
