import type { ReactNode } from 'react';
import { SessionExpiredError } from '../../errors.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';

/** What an error slot gets. */
export interface ErrorSlotProps {
  readonly error: Error;
  /** Fetches again. The failure stays on the screen until the answer is there. */
  readonly retry: () => void;
  /** True while a retry is under way. */
  readonly pending: boolean;
}

/** A failure in words, and a button that tries again. */
export function ErrorView({ error, retry, pending, labels }: ErrorSlotProps & { labels: WidgetLabels }): ReactNode {
  const failure = error instanceof SessionExpiredError ? labels.sessionExpired : labels.failure(error);
  return (
    <div className="dca-error" aria-busy={pending}>
      <p role="alert">{pending ? labels.retrying : failure}</p>
      {/* Not `disabled`, which would take the focus away from it. */}
      <button type="button" className="dca-button" aria-disabled={pending} onClick={pending ? undefined : retry}>
        {labels.retry}
      </button>
    </div>
  );
}
