import { useEffect, useState, type ReactNode } from 'react';
import { NotAListError, SessionExpiredError } from '../../errors.js';
import { useLatest } from '../../providers/useLatest.js';
import { wrapText } from '../../wrapText.js';
import { failureKind, readJsonBody, refusalWithMessage, serverMessage } from '../labels/failureKind.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import type { Announce } from './Delayed.js';
import { useReportedRead } from './reportedRequests.js';
import type { LooseEndpoint } from './resource.js';

/** Props passed to `renderError`. */
export interface ErrorSlotProps {
  readonly error: Error;
  /** The read of a list or a record, of a further page below rows, or the last action of a row or a record. */
  readonly of: 'read' | 'page' | 'action';
  /** Fetches again. The error is shown until the response arrives. Undefined for an action, which the user repeats. */
  readonly retry: (() => void) | undefined;
  /** True while the retry is pending. */
  readonly pending: boolean;
}

/** Where an error of a read is shown. */
export interface ErrorPlace {
  endpoint: LooseEndpoint;
  labels: WidgetLabels;
  renderError: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  /** Announces that the content is loading, and gets an empty text with an error, which is an alert. The same function at every render. */
  announce: Announce;
}

interface ErrorViewProps extends Omit<ErrorSlotProps, 'of'> {
  labels: WidgetLabels;
  /** The text for what the server does not find. @default `labels.failure` */
  notFound?: string;
}

/** The text for an error, and a button that tries again. */
export function ErrorView({ error, retry, pending, labels, notFound }: ErrorViewProps): ReactNode {
  // Not by the status: data-client gives 404 to an answer that is a text.
  const describe = failureKind(error) === 'not-found' && notFound !== undefined ? () => notFound : labels.failure;
  return (
    <div className="dca-error" aria-busy={pending}>
      <ErrorText error={error} labels={labels} override={pending ? labels.retrying : undefined} describe={describe} />
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
  announce,
}: Omit<ErrorSlotProps, 'of' | 'retry'> & { readonly retry: () => void } & ErrorPlace) {
  useReportedRead(error, endpoint);
  useRetryOnline(error, retry);
  useEffect(() => announce(''), [announce]);
  return (
    wrapText(renderError?.({ error, of: 'read', retry, pending })) ?? (
      <ErrorView error={error} retry={retry} pending={pending} labels={labels} />
    )
  );
}

interface ActionErrorProps extends Pick<ErrorPlace, 'renderError' | 'labels'> {
  error: Error | undefined;
}

/** The error of the last action of a row or a record. */
export function ActionError({ error, renderError, labels }: ActionErrorProps): ReactNode {
  if (!error) return null;
  const own = renderError?.({ error, of: 'action', retry: undefined, pending: false });
  return <div className="dca-item-error">{own ?? <ErrorText error={error} labels={labels} />}</div>;
}

/** Tries again when the network is back, after an error without a response. */
export function useRetryOnline(error: Error | undefined, retry: () => void): void {
  const latestRetry = useLatest(retry);
  const isOffline = error !== undefined && failureKind(error) === 'offline';
  useEffect(() => {
    if (!isOffline) return;
    const onOnline = () => latestRetry.current();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [isOffline, latestRetry]);
}

interface ErrorTextProps {
  error: Error;
  labels: WidgetLabels;
  /** Shown in place of the text for the error. */
  override?: ReactNode;
  /** The text for the error. @default `labels.failure` */
  describe?: ((error: Error, serverMessage?: string) => string) | undefined;
  className?: string | undefined;
  id?: string | undefined;
}

/**
 * Announces an error in a sentence for the user of the app. It appears when the server's own message has been read,
 * so that screen readers announce one text and not two. A text for developers goes to the console.
 */
export function ErrorText({
  error,
  labels,
  override,
  describe = labels.failure,
  ...attributes
}: ErrorTextProps): ReactNode {
  const read = useServerMessage(error);
  useEffect(() => logDeveloperError(error), [error]);
  const text = error instanceof SessionExpiredError ? labels.sessionExpired : read && describe(error, read.message);
  const shown = override ?? text;
  if (shown === undefined) return null;
  return (
    <p role="alert" {...attributes}>
      {shown}
    </p>
  );
}

interface ReadMessage {
  readonly message: string | undefined;
}

const NO_MESSAGE: ReadMessage = { message: undefined };

/** Read once for each error, because rows of a long list are mounted again and again. */
const readMessages = new WeakMap<Error, ReadMessage>();

/** The message in the server's response, if there may be one. Undefined while it is being read. */
function useServerMessage(error: Error): ReadMessage | undefined {
  const response = refusalWithMessage(error);
  const [latest, setLatest] = useState<ReadMessage & { readonly of: Error }>();
  const read = response ? (latest?.of === error ? latest : readMessages.get(error)) : NO_MESSAGE;
  useEffect(() => {
    if (!response || read) return;
    let isMounted = true;
    void readJsonBody(response).then(body => {
      const message = serverMessage(body);
      readMessages.set(error, { message });
      if (isMounted) setLatest({ of: error, message });
    });
    return () => {
      isMounted = false;
    };
  }, [error, response, read]);
  return read;
}

const logged = new WeakSet<Error>();

/**
 * Writes the text of an error that is meant for developers to the console, once for each error. Answers of the server
 * are not written: the browser's own console and network panel show them.
 *
 * Writes the text only: other properties of an error, such as a response, could contain credentials.
 */
export function logDeveloperError(error: Error): void {
  const found = findDeveloperError(error);
  if (!found || logged.has(found)) return;
  logged.add(found);
  console.error(`data-client-auth: ${found.name}: ${found.message}`);
}

/** The error itself or the first of its causes that tells a developer something. */
function findDeveloperError(error: unknown): Error | undefined {
  // The endpoint has written a NotAListError, for apps without widgets too.
  if (!(error instanceof Error) || error instanceof NotAListError) return undefined;
  return ['unexpected', 'unreadable'].includes(failureKind(error)) ? error : findDeveloperError(error.cause);
}
