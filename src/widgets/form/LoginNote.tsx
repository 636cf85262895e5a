import { useState, type ReactNode } from 'react';
import { useRun } from '../actions/useRun.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useLate } from '../shared/useLate.js';

interface LoginNoteProps {
  id: string;
  text: string;
  /** Asks the server once more. Absent: there is nothing to ask. */
  retry?: (() => Promise<unknown>) | undefined;
  labels: WidgetLabels;
}

/** Says why the login form is here, and where the server's answer is missing, asks for it again. */
export function LoginNote({ id, text, retry, labels }: LoginNoteProps): ReactNode {
  const { pending, run } = useRun();
  const [failures, setFailures] = useState(0);
  const isLate = useLate(pending);
  const tryAgain = () => void run(retry!).catch(() => setFailures(count => count + 1));

  if (!retry) {
    return (
      <p role="status" className="dca-note" id={id}>
        {text}
      </p>
    );
  }
  return (
    <div className="dca-note dca-unconfirmed" aria-busy={pending}>
      <p role="status" id={id}>
        {/* A new element after each failure, so that the same sentence is announced again. */}
        <span key={failures}>{text}</span>
      </p>
      {/* Not `disabled`, which would take the focus away from it. */}
      <button type="button" className="dca-button" aria-disabled={isLate} onClick={pending ? undefined : tryAgain}>
        {isLate ? labels.retrying : labels.retry}
      </button>
    </div>
  );
}
