import type { DataBoundaryProps } from './DataBoundaryProps.js';
import { ErrorView, type ErrorSlotProps } from './ErrorView.js';
import { useReportedRead } from './useReportFailure.js';

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
