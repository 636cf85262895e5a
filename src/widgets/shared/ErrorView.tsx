import type { ReactNode } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import type { DataBoundaryProps } from './DataBoundary.js';
import { ErrorText } from './ErrorText.js';
import { useReportedRead } from './useReportFailure.js';

/** Props passed to `renderError` and `renderPageError`. */
export interface ErrorSlotProps {
  readonly error: Error;
  /** Fetches again. The error is shown until the response arrives. */
  readonly retry: () => void;
  /** True while the retry is pending. */
  readonly pending: boolean;
}

/** The text for an error, and a button that tries again. */
export function ErrorView({ error, retry, pending, labels }: ErrorSlotProps & { labels: WidgetLabels }): ReactNode {
  return (
    <div className="dca-error" aria-busy={pending}>
      <ErrorText error={error} labels={labels} override={pending ? labels.retrying : undefined} />
      {/* Not `disabled`: a disabled button loses the focus. */}
      <button type="button" className="dca-button" aria-disabled={pending} onClick={pending ? undefined : retry}>
        {labels.retry}
      </button>
    </div>
  );
}

/** The error of a read, as the widget or the app shows it. Reports it to `onError` of the provider. */
export function ErrorSlot({
  endpoint,
  error,
  retry,
  pending,
  renderError,
  labels,
}: ErrorSlotProps & Pick<DataBoundaryProps, 'endpoint' | 'renderError' | 'labels'>) {
  useReportedRead(error, endpoint);
  if (renderError) return <>{renderError({ error, retry, pending })}</>;
  return <ErrorView error={error} retry={retry} pending={pending} labels={labels} />;
}
