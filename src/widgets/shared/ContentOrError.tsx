import { useController, useError } from '@data-client/react';
import { Suspense, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { getExpiry } from '../../dataClient/getExpiry.js';
import { useKeepStored } from '../../dataClient/useKeepStored.js';
import { useAsyncAction } from '../actions/useAsyncAction.js';
import { getErrorStatus } from '../labels/failureKind.js';
import type { DataBoundaryProps } from './DataBoundaryProps.js';
import { ErrorSlot } from './ErrorSlot.js';
import type { LooseParams } from './resourceTypes.js';
import { useRestoreFocus } from './useRestoreFocus.js';

interface ContentOrErrorProps extends Omit<DataBoundaryProps, 'loading' | 'keepPreviousData'> {
  requestKey: string;
  params: LooseParams;
  fallback: ReactNode;
}

/** What a widget has read, or the error of the read with a button that tries again. */
export function ContentOrError({ fallback, children, requestKey, ...props }: ContentOrErrorProps) {
  const { endpoint, params, region } = props;
  const controller = useController();
  const error: Error | undefined = useError(endpoint, params);
  const { pending, run } = useAsyncAction();
  // An error whose cache time has passed, from before this widget was mounted, is not shown: the request is tried again
  // first.
  const readStaleError = () => (error && getExpiry(controller, requestKey) < Date.now() ? error : undefined);
  const [stale, setStale] = useState(() => ({ requestKey, error: readStaleError() }));
  if (stale.requestKey !== requestKey) setStale({ requestKey, error: readStaleError() });
  const [retriedKey, setRetriedKey] = useState(requestKey);
  const retry = () => {
    setRetriedKey(requestKey);
    return run(() => controller.fetch(endpoint, params) as Promise<unknown>);
  };
  const latestRetry = useRef(retry);
  latestRetry.current = retry;

  useEffect(() => {
    if (stale.error)
      latestRetry.current().then(undefined, () => setStale(current => ({ ...current, error: undefined })));
  }, [stale.error]);
  useRestoreFocus(region, () => region.current);
  useKeepStored(error && requestKey);

  // The same element while only the store changes: React then retries suspended children by their own promise, and
  // they fetch no more often.
  const content = useMemo(() => <Suspense fallback={fallback}>{children}</Suspense>, [fallback, children]);

  if (!error) return content;
  if (error === stale.error) return fallback;
  if (getErrorStatus(error) === undefined) throw error;
  return (
    <ErrorSlot {...props} error={error} retry={() => void retry()} pending={pending && retriedKey === requestKey} />
  );
}
