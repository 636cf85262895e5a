import { useController, useError } from '@data-client/react';
import { type ReactNode, type RefObject, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { SessionExpiredError } from '../../errors.js';
import { useAsyncAction } from '../actions/useAsyncAction.js';
import { getErrorStatus } from '../labels/describeError.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { Delayed } from './Delayed.js';
import { ErrorView, type ErrorSlotProps } from './ErrorView.js';
import type { LooseEndpoint, LooseParams } from './resourceTypes.js';
import { useRestoreFocus } from './useRestoreFocus.js';

interface DataBoundaryProps {
  endpoint: LooseEndpoint;
  /** Null: they are not known yet. */
  params: LooseParams | null;
  labels: WidgetLabels;
  loading: ReactNode;
  renderError: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  /** Gets the focus when what had it goes away. */
  region: RefObject<HTMLElement | null>;
  /** What keeps its answer goes on showing it while other params are asked for. @default nothing: other params, another content */
  keepPreviousData?: boolean;
  /** Reads the endpoint with `useSuspense`. */
  children: ReactNode;
}

/**
 * The one boundary of a widget, for loading and failure of what it reads.
 *
 * The failure is read from the store and kept nowhere else: it goes away when anybody fetches the same key with success, and
 * when somebody signs in, because the store is emptied then. So what is below never throws it, and nothing is logged.
 *
 * After an expiry it asks for nothing by itself, though it stands on nobody's store: what was just refused would be refused once
 * more. Whoever may read as nobody presses the button.
 *
 * @throws what the endpoint rejected with, when it has no `status`: an error of the program is the app's.
 */
export function DataBoundary({ loading, keepPreviousData, ...props }: DataBoundaryProps): ReactNode {
  const { endpoint, params, labels } = props;
  const isLive = useSyncExternalStore(neverChanges, yes, no);
  const hasExpired = useHasExpired(endpoint);
  const [readsSignedOut, setReadsSignedOut] = useState(false);
  // What the server has sent is on the screen, and stays there.
  const cameFromServer = useRef(!isLive).current;
  const waiting = useMemo(
    () => (
      <Delayed immediate={cameFromServer}>
        {loading ?? (
          <p role="status" className="dca-loading">
            {labels.loading}
          </p>
        )}
      </Delayed>
    ),
    [cameFromServer, loading, labels],
  );
  if (params === null || !isLive) return waiting;
  const { key = '', error } = readKey(endpoint, params);
  if (error) return <ErrorSlot {...props} error={error} retry={() => {}} pending={false} />;
  if (hasExpired && !readsSignedOut) return <ErrorSlot {...props} error={new SessionExpiredError()} retry={() => setReadsSignedOut(true)} pending={false} />;
  return <ContentOrError key={keepPreviousData ? undefined : key} {...props} requestKey={key} params={params} waiting={waiting} />;
}

// A server has no store to wait for: it renders the loading state, and so does the page until it is hydrated.
const neverChanges = () => () => {};
const yes = () => true;
const no = () => false;

/** The key of a request, or why there is none: a param that the path needs is missing. */
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
  waiting: ReactNode;
}

function ContentOrError({ waiting, children, requestKey, ...props }: ContentOrErrorProps) {
  const { endpoint, params, region } = props;
  const controller = useController();
  const error: Error | undefined = useError(endpoint, params);
  const { pending, run } = useAsyncAction();
  // What failed before this widget asked for it, and has expired since, is tried again before it is shown.
  const oldError = () => (error && controller.getResponse(endpoint, params, controller.getState()).expiresAt < Date.now() ? error : undefined);
  const [old, setOld] = useState(() => ({ requestKey, error: oldError() }));
  if (old.requestKey !== requestKey) setOld({ requestKey, error: oldError() });
  const [retried, setRetried] = useState(requestKey);
  const retry = () => {
    setRetried(requestKey);
    return run(() => controller.fetch(endpoint, params) as Promise<unknown>);
  };
  const retryNow = useRef(retry);
  retryNow.current = retry;

  useEffect(() => {
    if (old.error) retryNow.current().then(undefined, () => setOld(asked => ({ ...asked, error: undefined })));
  }, [old.error]);
  useRestoreFocus(region, () => region.current);

  // The same element while only the store changes: what is suspended is tried again by its own promise, and asks no oftener.
  const content = useMemo(() => <Suspense fallback={waiting}>{children}</Suspense>, [waiting, children]);

  if (!error) return content;
  if (error === old.error) return waiting;
  if (getErrorStatus(error) === undefined) throw error;
  return <ErrorSlot {...props} error={error} retry={() => void retry()} pending={pending && retried === requestKey} />;
}

function ErrorSlot({ error, retry, pending, renderError, labels }: ErrorSlotProps & Pick<DataBoundaryProps, 'renderError' | 'labels'>) {
  if (renderError) return <>{renderError({ error, retry, pending })}</>;
  return <ErrorView error={error} retry={retry} pending={pending} labels={labels} />;
}

/** Whether the server has ended the session that the endpoint's credentials come from, and nobody has signed in since. Never for a public endpoint. */
export function useHasExpired({ session, public: carriesNothing }: LooseEndpoint): boolean {
  const source = carriesNothing ? undefined : session;
  const hasExpired = source ? () => source.getSnapshot().reason === 'expired' : no;
  return useSyncExternalStore(source?.subscribe ?? neverChanges, hasExpired, no);
}
