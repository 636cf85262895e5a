import { isDevelopment } from '../isDevelopment.js';
import { markHandled } from '../session/handledErrors.js';
import { currentAuthCall } from '../session/requests/runAsAuthCall.js';
import { noteSender } from '../session/requests/sentWithoutSession.js';
import { screenEndedError } from '../session/requests/screenEndedError.js';
import {
  attemptOfAuthCall,
  numberedAttempts,
  sendOnce,
  type Attempt,
  type AttachCredential,
} from '../session/requests/sendOnce.js';
import type { Session } from '../session/session.js';
import type { BoundSession } from './boundSession.js';
import { idempotencyKeyFor, withIdempotencyKey } from './idempotencyKey.js';
import { sessionCore } from './sessionCore.js';

/** The members of an endpoint that its fetch uses: data-client's, which subclasses may override, and the kit's. */
export interface Fetchable {
  readonly name: string;
  readonly path?: string;
  readonly schema?: unknown;
  readonly method: string;
  readonly urlPrefix: string;
  readonly signal?: AbortSignal | undefined;
  readonly body?: unknown;
  readonly session?: Session | undefined;
  /** The session with the identity of the screen that rendered the endpoint. Undefined outside React. */
  readonly boundSession?: BoundSession | undefined;
  readonly public?: boolean | undefined;
  readonly idempotencyKey?: boolean | undefined;
  readonly fetch: unknown;
  url(params: object): string;
  getRequestInit(body: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<unknown>;
  process(value: unknown, ...args: unknown[]): unknown;
  /** Checks a processed response, and returns it. `resource()` sets it for lists. */
  readonly checkResponse?: ((response: unknown, args: unknown[]) => unknown) | undefined;
}

const noCredential: AttachCredential = ({ init }) => init;
const omitCookies: AttachCredential = ({ init }) => ({ credentials: 'omit', ...init });

/** Splits the arguments of an endpoint into params and body. For an endpoint with a body, a single argument is the body. */
function readArgs(endpoint: Fetchable, args: readonly unknown[]): { params: object; body: unknown } {
  const hasBody =
    (!('body' in endpoint) || endpoint.body !== undefined) && !['GET', 'DELETE'].includes(endpoint.method);
  const params = (hasBody && args.length < 2 ? {} : args[0]) ?? {};
  return { params, body: hasBody ? args.at(-1) : undefined };
}

/**
 * Builds the request from the arguments, sends it once and reads the response. Each attempt builds the request again.
 *
 * @param idempotencyKey The same for all attempts of one call.
 */
async function fetchOnce(
  endpoint: Fetchable,
  args: readonly unknown[],
  idempotencyKey: string | undefined,
  attempt: Attempt,
): Promise<unknown> {
  const { params, body } = readArgs(endpoint, args);
  const { method, urlPrefix } = endpoint;
  const url = endpoint.url(params);
  const init = withIdempotencyKey(await endpoint.getRequestInit(body), idempotencyKey);
  const response = await sendOnce({ url, urlPrefix, init, method }, attempt, (to, prepared) =>
    endpoint.fetchResponse(to, markPrepared(prepared)),
  );
  const processed = await endpoint.process(await endpoint.parseResponse(response), ...args);
  // A `fetch` of the app's own calls this one, and may then take the list out of the response.
  if (endpoint.fetch !== fetchThroughSession || !endpoint.checkResponse) return processed;
  return endpoint.checkResponse(processed, [...args]);
}

/**
 * The `fetch` of the kit's endpoints. It sends a request through the endpoint's session.
 *
 * Without a session it works like data-client's fetch. With a session, the request is sent with the identity that started it, or
 * not at all: see `RequestSender`. An endpoint that a screen captured sends nothing after the identity of that screen has ended.
 * Public endpoints and the session's auth calls (login, refresh, logout, whoami) do not trigger or wait for refreshes. All requests
 * of a session use `cache: 'no-store'`, unless the endpoint sets `cache`.
 */
export function fetchThroughSession(this: Fetchable, ...args: unknown[]): Promise<unknown> {
  const idempotencyKey = idempotencyKeyFor(this);
  return sendThroughSession(this, attempt => fetchOnce(this, args, idempotencyKey, attempt));
}

/**
 * Sends the request of an endpoint whose `fetch` is the app's own, when that calls `this.fetchResponse`. The request starts now: the
 * session knows nothing of what the app's `fetch` did before.
 *
 * @param transport data-client's `fetchResponse`.
 */
export function fetchResponseThroughSession(
  endpoint: Fetchable,
  [url, init]: readonly [url: string, init: RequestInit],
  transport: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Response> {
  const { urlPrefix, method } = endpoint;
  const keyed = withIdempotencyKey(init, idempotencyKeyFor(endpoint));
  return sendThroughSession(endpoint, attempt => sendOnce({ url, urlPrefix, init: keyed, method }, attempt, transport));
}

const PREPARED = Symbol('data-client-auth prepared');

/** Marks the init of a request that has its credential already. A spread copies the mark too. */
function markPrepared(init: RequestInit): RequestInit {
  return { ...init, [PREPARED]: true } as RequestInit;
}

export function isPrepared(init: RequestInit | undefined): boolean {
  return init !== undefined && PREPARED in init;
}

function sendThroughSession<T>(endpoint: Fetchable, send: (attempt: Attempt) => Promise<T>): Promise<T> {
  const authCall = currentAuthCall();
  if (authCall) return send(attemptOfAuthCall(authCall)).catch(rethrowHandled);
  if (!endpoint.session) {
    return send({ attempt: 1, attachCredential: noCredential, cause: 'first send', session: undefined }).catch(
      (error: unknown) => {
        if (endpoint.public) markHandled(error);
        else if (isDevelopment) noteSender(error, endpoint);
        throw error;
      },
    );
  }
  const session = sessionCore(endpoint.session);
  const { boundSession, signal, method } = endpoint;
  if (boundSession?.session === session && boundSession.end.aborted) return Promise.reject(screenEndedError());
  if (endpoint.public)
    return send({ attempt: 1, attachCredential: omitCookies, cause: 'public', session }).catch(rethrowHandled);
  return session.send({ signal, method, sendAttempt: numberedAttempts(session, send) }).catch(rethrowHandled);
}

function rethrowHandled(error: unknown): never {
  markHandled(error);
  throw error;
}
