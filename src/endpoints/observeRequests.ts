import { notifyListeners } from '../notifyListeners.js';
import type { ObservableSession } from '../session/runAsAuthCall.js';
import type { AuthCallName } from '../session/runAsAuthCall.js';
import type { SessionSnapshot } from '../session/session.js';

/** Why a request is sent: for its caller, once more with other credentials, as a public one, or as one of the session's own calls. */
export type RequestCause = 'first send' | 'replay' | 'public' | AuthCallName;

/** Who is signed in, without telling whom. */
export type ObservedStatus = Pick<SessionSnapshot, 'status' | 'reason'>;

/** The session that a request belongs to, as it stood when the request was sent. */
export interface ObservedSession extends ObservedStatus {
  /** Tells the sessions of a page apart. */
  readonly id: number;
  /** How the session stands now. Asking starts nothing. */
  readonly now: () => ObservedStatus;
}

/** A request that is about to be sent. No header, no body, no credential. */
export interface ObservedRequest {
  readonly method: string;
  /** As it goes to `fetch`: absolute, or relative to the page. */
  readonly url: string;
  /** 1, or 2 for the replay. */
  readonly attempt: number;
  readonly cause: RequestCause;
  /** Undefined for an endpoint without a session. */
  readonly session: ObservedSession | undefined;
  /** Aborted when the request is called off. */
  readonly signal: AbortSignal | undefined;
}

type Listener = (request: ObservedRequest) => void;

/** One set for the page, not for the module: bundlers may load the kit twice, for the app and for its Storybook. */
const LISTENERS = Symbol.for('data-client-auth/observeRequests');
const page = globalThis as { [LISTENERS]?: Set<Listener> };

/**
 * Calls the listener right before each request of the kit's endpoints is sent: what a proxy or a service worker sees of a
 * request, but not why it was sent. Returns the function that ends it. For tools, like the requests panel.
 *
 * @example
 * const stop = observeRequests(({ method, url, cause }) => console.debug(cause, method, url));
 */
export function observeRequests(listener: Listener): () => void {
  const listeners = (page[LISTENERS] ??= new Set());
  const own: Listener = request => listener(request);
  listeners.add(own);
  return () => void listeners.delete(own);
}

/** What an endpoint knows of a request before it is built. */
export interface RequestMeta {
  readonly attempt: number;
  readonly cause: RequestCause;
  readonly session: ObservableSession | undefined;
}

/** Calls the listeners with a request. A throwing listener is reported as an uncaught error, and the request is sent all the same. */
export function notifyObservers(method: string, url: string, signal: AbortSignal | null | undefined, { attempt, cause, session }: RequestMeta): void {
  const listeners = page[LISTENERS];
  if (!listeners || listeners.size === 0) return;
  notifyListeners(listeners, { method, url, attempt, cause, session: session && observedSession(session), signal: signal ?? undefined });
}

function observedSession({ id, getSnapshot }: ObservableSession): ObservedSession {
  const now = () => {
    const { status, reason } = getSnapshot();
    return { status, reason };
  };
  return { id, ...now(), now };
}
