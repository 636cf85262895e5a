import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useKeptFocus } from '../shared/useKeptFocus.js';
import type { Question } from './useConsent.js';

interface UndoNoteProps {
  question: Question;
  labels: WidgetLabels;
  /** What the note stands in; the focus that was on the deleted record goes to the button. */
  region: RefObject<HTMLElement | null>;
}

/** Stands in the place of a record that is about to be deleted. The time stands still while somebody is at the button. */
export function UndoNote({ question, labels, region }: UndoNoteProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const holds = useRef({ pointer: false, keyboard: false });
  useKeptFocus(region, () => button.current);
  // Away from the page it does not stand still: nobody could set it going again.
  const { resume } = question;
  useEffect(() => resume, [resume]);

  const hold = (by: 'pointer' | 'keyboard', isHeld: boolean) => {
    const before = { ...holds.current };
    holds.current[by] = isHeld;
    const { pointer, keyboard } = holds.current;
    if (pointer || keyboard) question.pause();
    else if (before.pointer || before.keyboard) question.resume();
  };

  return (
    // Not when it enters: a note that appears under a pointer at rest would wait for ever.
    <div className="dca-undo" onPointerMove={() => hold('pointer', true)} onPointerLeave={() => hold('pointer', false)}>
      <p id={id} role="status">
        {labels.deleted(question.name)}
      </p>
      {question.isOpen && (
        <button
          ref={button}
          type="button"
          className="dca-button"
          aria-describedby={id}
          // A click leaves the focus here as well; that is nobody's wish for more time.
          onFocus={({ target }) => hold('keyboard', target.matches(':focus-visible'))}
          onBlur={() => hold('keyboard', false)}
          onClick={() => question.answer('no')}
        >
          {labels.undo}
        </button>
      )}
    </div>
  );
}
