import { useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { SessionExpiredError } from '../../errors.js';
import { getErrorStatus } from '../labels/failureKind.js';
import { ContentOrError } from './ContentOrError.js';
import type { DataBoundaryProps } from './DataBoundaryProps.js';
import { Delayed, LoadingText } from './Delayed.js';
import { ErrorSlot } from './ErrorSlot.js';
import type { LooseEndpoint, LooseParams } from './resourceTypes.js';
import { useHasExpired } from './useHasExpired.js';

/**
 * Shows loading and errors of what a widget reads.
 *
 * The error is read from the store. It goes away when any component fetches the same key successfully, and when a user signs in, because
 * the store is emptied then. The children never throw it, so React logs nothing.
 *
 * After an expiry nothing is fetched until a user signs in or presses the button: without credentials the server would refuse again.
 *
 * @throws the endpoint's error when it has no `status`: it is a bug of the app, not an answer of the server.
 */
export function DataBoundary({ loading, keepPreviousData, ...props }: DataBoundaryProps): ReactNode {
  const { endpoint, params, labels } = props;
  const isHydrated = useSyncExternalStore(subscribeToNothing, returnTrue, returnFalse);
  const hasExpired = useHasExpired(endpoint);
  const [readsSignedOut, setReadsSignedOut] = useState(false);
  // The server has rendered the loading state already: hiding it for 300 ms would flicker.
  const isFromServer = useRef(!isHydrated).current;
  const fallback = useMemo(
    () => <Delayed immediate={isFromServer}>{loading ?? <LoadingText labels={labels} />}</Delayed>,
    [isFromServer, loading, labels],
  );
  // The same error at each render: it is logged and reported once.
  const { key = '', error } = useMemo(() => (params ? readKey(endpoint, params) : {}), [endpoint, params]);
  if (params === null || !isHydrated) return fallback;
  if (error) return <ErrorSlot {...props} error={error} retry={() => {}} pending={false} />;
  if (hasExpired && !readsSignedOut)
    return (
      <ErrorSlot {...props} error={new SessionExpiredError()} retry={() => setReadsSignedOut(true)} pending={false} />
    );
  return (
    <ContentOrError
      key={keepPreviousData ? undefined : key}
      {...props}
      requestKey={key}
      params={params}
      fallback={fallback}
    />
  );
}

// A server has no store to wait for. It renders the loading state, and so does the page until it is hydrated.
const subscribeToNothing = () => () => {};
const returnTrue = () => true;
const returnFalse = () => false;

/** The key of a request, or an error when a param of the path is missing. */
function readKey(endpoint: LooseEndpoint, params: LooseParams): { key?: string; error?: Error } {
  try {
    return { key: endpoint.key(params) };
  } catch (error) {
    if (getErrorStatus(error) === undefined) throw error;
    return { error: error as Error };
  }
}
