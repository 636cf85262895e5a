import { emit } from '../emit.js';
import type { OwnCallName } from '../mechanisms/ownCall.js';
import type { SessionEngine } from '../session/SessionEngine.js';
import type { SessionSnapshot } from '../session/types.js';

/**
 * Why a request is sent: for its caller, once more with other credentials, as a public one, or by the session for itself
 * (`own call` where it does not say which).
 */
export type RequestCause = 'first send' | 'replay' | 'public' | 'own call' | OwnCallName;

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
export interface SendingNote {
  readonly attempt: number;
  readonly cause: RequestCause;
  readonly engine: SessionEngine<any, any> | undefined;
}

/** Tells the listeners of a request. One that throws is reported like any uncaught error, and the request is sent all the same. */
export function tellObservers(method: string, url: string, signal: AbortSignal | null | undefined, { attempt, cause, engine }: SendingNote): void {
  const listeners = page[LISTENERS];
  if (!listeners || listeners.size === 0) return;
  emit(listeners, { method, url, attempt, cause, session: engine && observed(engine), signal: signal ?? undefined });
}

function observed(engine: SessionEngine<any, any>): ObservedSession {
  const now = () => {
    const { status, reason } = engine.getSnapshot();
    return { status, reason };
  };
  return { id: engine.id, ...now(), now };
}
