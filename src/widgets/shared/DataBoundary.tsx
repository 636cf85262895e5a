import { useController, useError } from '@data-client/react';
import {
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
  type RefObject,
} from 'react';
import { isProcessingError } from '../../dataClient/rest.js';
import { getResponseExpiry, useAnswerMeta, useKeepStored } from '../../dataClient/storedResponses.js';
import { SessionExpiredError } from '../../errors.js';
import { useLatest } from '../../providers/useLatest.js';
import { wrapText } from '../../wrapText.js';
import { getErrorStatus } from '../labels/failureKind.js';
import { Announcement, Delayed, LoadingText } from './Delayed.js';
import { ErrorSlot, type ErrorPlace } from './ErrorView.js';
import type { LooseEndpoint, LooseParams } from './resource.js';
import { useAsyncActions } from './useAsyncAction.js';
import { useRestoreFocus } from './useRestoreFocus.js';

export interface DataBoundaryProps extends ErrorPlace {
  /** Null shows the loading state and reads nothing. */
  params: LooseParams | null;
  loading: ReactNode;
  /** Gets the focus when the focused element is removed. */
  region: RefObject<HTMLElement | null>;
  /**
   * Keeps the children mounted while other params load; they read with `usePreviousData`. @default false: other params
   * mount other children
   */
  keepPreviousData?: boolean;
  /** Reads the endpoint with `useSuspense`. */
  children: ReactNode;
}

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
  const { endpoint, params, labels, announce } = props;
  const isHydrated = useSyncExternalStore(subscribeToNothing, returnTrue, returnFalse);
  const hasExpired = useHasExpired(endpoint);
  const [readsSignedOut, setReadsSignedOut] = useState(false);
  // The server has rendered the loading state already: hiding it for 300 ms would flicker.
  const isFromServer = useRef(!isHydrated).current;
  const fallback = useMemo(() => {
    const shown = wrapText(loading) ?? <LoadingText labels={labels} />;
    return (
      <>
        {isFromServer && shown}
        <Delayed>
          {!isFromServer && shown}
          <Announcement text={labels.loading} announce={announce} />
        </Delayed>
      </>
    );
  }, [isFromServer, loading, labels, announce]);
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

interface ContentOrErrorProps extends Omit<DataBoundaryProps, 'loading' | 'keepPreviousData'> {
  requestKey: string;
  params: LooseParams;
  fallback: ReactNode;
}

/** What a widget has read, or the error of the read with a button that tries again. */
function ContentOrError({ fallback, children, requestKey, ...props }: ContentOrErrorProps) {
  const { endpoint, params, region } = props;
  const { error, isKept, isTriedAgain, retry, pending } = useReadError(endpoint, params, requestKey);
  useRestoreFocus(region, () => region.current);
  // The same element while only the store changes: React then retries suspended children by their own promise, and
  // they fetch no more often.
  const content = useMemo(() => <Suspense fallback={fallback}>{children}</Suspense>, [fallback, children]);
  if (isTriedAgain && !isKept) return fallback;
  return (
    <>
      {error && <ErrorSlot {...props} error={error} retry={retry} pending={pending} />}
      {(!error || isKept) && content}
    </>
  );
}

interface ReadError {
  /** Undefined while there is none, and while the request is tried again before the error is shown. */
  readonly error: Error | undefined;
  /** True if the data from before the error stays. */
  readonly isKept: boolean;
  /** True while an error from before this widget was mounted is not shown, and the request is tried again. */
  readonly isTriedAgain: boolean;
  readonly retry: () => void;
  /** True while a retry of this request is pending. */
  readonly pending: boolean;
}

/**
 * The error of a read, from the store, with its retry. An error whose cache time has passed, from before this widget was mounted, is not
 * shown: the request is tried again first.
 *
 * @param key The key of the request.
 * @throws the error when it has no `status`: it is a bug of the app, not an answer of the server.
 */
function useReadError(endpoint: LooseEndpoint, params: LooseParams, key: string): ReadError {
  const controller = useController();
  const hardError: Error | undefined = useError(endpoint, params);
  const storedError = useAnswerMeta(key)?.error;
  // The error of a further page has the key of its list, and stands below the rows.
  const isOfPage = storedError && (isProcessingError(storedError) || getErrorStatus(storedError) === 401);
  const error = hardError ?? (isOfPage ? undefined : storedError);
  useKeepStored(hardError && key);
  const { states, run } = useAsyncActions();
  const readStaleError = () => (error && getResponseExpiry(controller, key) < Date.now() ? error : undefined);
  const [stale, setStale] = useState(() => ({ key, error: readStaleError() }));
  if (stale.key !== key) setStale({ key, error: readStaleError() });
  const retry = () => run(key, () => controller.fetch(endpoint, params) as Promise<unknown>);
  const latestRetry = useLatest(retry);

  useEffect(() => {
    if (stale.error)
      latestRetry.current().then(undefined, () => setStale(current => ({ ...current, error: undefined })));
  }, [stale.error, latestRetry]);

  const isTriedAgain = error !== undefined && error === stale.error;
  if (error && !isTriedAgain && getErrorStatus(error) === undefined) throw error;
  return {
    error: isTriedAgain ? undefined : error,
    isKept: hardError === undefined,
    isTriedAgain,
    retry: () => void retry(),
    pending: states.get(key)?.pending ?? false,
  };
}

/** Whether the server has ended the endpoint's session and no user has signed in since. False for a public endpoint, and while it is locked. */
function useHasExpired({ session, public: isPublic }: LooseEndpoint): boolean {
  const source = isPublic ? undefined : session;
  const isExpired = () => {
    const { status, reason } = source!.getSnapshot();
    return status === 'anonymous' && reason === 'expired';
  };
  const hasExpired = source ? isExpired : returnFalse;
  return useSyncExternalStore(source?.subscribe ?? subscribeToNothing, hasExpired, returnFalse);
}
