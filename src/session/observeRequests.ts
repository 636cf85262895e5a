import { addListener, notifyListeners } from '../notifyListeners.js';
import type { Role } from './queue.js';
import type { SessionSnapshot } from './session.js';

/** Why a request is sent: for its caller, as a replay with new credentials, as a public request, or as an auth call of the session. */
export type RequestCause = 'first send' | 'replay' | 'public' | 'restore' | Exclude<Role, 'check'>;

/** A session, as far as observers of requests may see it. */
export interface ObservableSession {
  readonly id: number;
  readonly getSnapshot: () => SessionSnapshot;
}

/** The status of a session, without its user. */
export type ObservedStatus = Pick<SessionSnapshot, 'status' | 'reason'>;

/** The session of a request, with its status when the request was sent. */
export interface ObservedSession extends ObservedStatus {
  /** Distinguishes the sessions of a page. */
  readonly id: number;
  /** Returns the current status. Does not start the session. */
  readonly getStatus: () => ObservedStatus;
}

/** A request before it is sent, without its headers, body and credential. */
export interface ObservedRequest {
  readonly method: string;
  /** The URL passed to `fetch`: absolute, or relative to the page. */
  readonly url: string;
  /** 1 for the first send, 2 or more for a replay. */
  readonly attempt: number;
  readonly cause: RequestCause;
  /** Undefined for an endpoint without a session. */
  readonly session: ObservedSession | undefined;
  /** Aborted when the request is cancelled. */
  readonly signal: AbortSignal | undefined;
}

type Listener = (request: ObservedRequest) => void;

/** One set for the page, not for the module: bundlers may load the kit twice, for the app and for its Storybook. */
const LISTENERS = Symbol.for('data-client-auth/observeRequests');
const page = globalThis as { [LISTENERS]?: Set<Listener> };

/**
 * Calls the listener before each request of the kit's endpoints and of `session.fetch`, with the cause of the request, which a proxy or a service worker
 * cannot see. Returns the function that unsubscribes. For tools like the requests panel.
 *
 * @example
 * const stop = observeRequests(({ method, url, cause }) => console.debug(cause, method, url));
 */
export function observeRequests(listener: Listener): () => void {
  return addListener((page[LISTENERS] ??= new Set()), listener);
}

/** The details of a request that are known before it is built. */
export interface RequestMeta {
  readonly attempt: number;
  readonly cause: RequestCause;
  readonly session: ObservableSession | undefined;
}

/** Calls the listeners with a request. A throwing listener is reported as an uncaught error and does not stop the request. */
export function notifyObservers(
  method: string,
  url: string,
  signal: AbortSignal | null | undefined,
  { attempt, cause, session }: RequestMeta,
): void {
  const listeners = page[LISTENERS];
  if (!listeners || listeners.size === 0) return;
  notifyListeners(listeners, {
    method,
    url,
    attempt,
    cause,
    session: session && observedSession(session),
    signal: signal ?? undefined,
  });
}

function observedSession({ id, getSnapshot }: ObservableSession): ObservedSession {
  const getStatus = () => {
    const { status, reason } = getSnapshot();
    return { status, reason };
  };
  return { id, ...getStatus(), getStatus };
}
