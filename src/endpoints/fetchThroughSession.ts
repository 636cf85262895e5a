import { RedirectRefusedError, UnreplayableBodyError } from '../errors.js';
import { isDevelopment } from '../isDevelopment.js';
import { markHandled } from '../session/handledErrors.js';
import { currentAuthCall } from '../session/runAsAuthCall.js';
import { noteSender } from '../session/sentWithoutSession.js';
import { screenEndedError } from '../session/screenEndedError.js';
import type { OutgoingRequest } from '../session/outgoingRequest.js';
import type { Session } from '../session/session.js';
import type { BoundSession } from './boundSession.js';
import { idempotencyKeyFor, withIdempotencyKey } from './idempotencyKey.js';
import { notifyObservers, type RequestMeta } from './observeRequests.js';
import { sessionCore } from './sessionCore.js';

/** The members of an endpoint that its fetch uses: data-client's, which subclasses may override, and the kit's. */
export interface Fetchable {
  readonly name: string;
  readonly path?: string;
  readonly method: string;
  readonly urlPrefix: string;
  readonly signal?: AbortSignal | undefined;
  readonly body?: unknown;
  readonly session?: Session | undefined;
  /** The session with the identity of the screen that rendered the endpoint. Undefined outside React. */
  readonly boundSession?: BoundSession | undefined;
  readonly public?: boolean | undefined;
  readonly idempotencyKey?: boolean | undefined;
  url(params: object): string;
  getRequestInit(body: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<unknown>;
  process(value: unknown, ...args: unknown[]): unknown;
  /** Checks a processed response. `resource()` sets it for lists. */
  readonly checkResponse?: ((response: unknown) => void) | undefined;
}

type AttachCredential = (request: OutgoingRequest) => RequestInit | Promise<RequestInit>;
type VerifyResponse = (response: Response) => void;

const noCredential: AttachCredential = ({ init }) => init;
const omitCookies: AttachCredential = ({ init }) => ({ credentials: 'omit', ...init });

/** Splits the arguments of an endpoint into params and body. For an endpoint with a body, a single argument is the body. */
function readArgs(endpoint: Fetchable, args: readonly unknown[]): { params: object; body: unknown } {
  const hasBody =
    (!('body' in endpoint) || endpoint.body !== undefined) && !['GET', 'DELETE'].includes(endpoint.method);
  const params = (hasBody && args.length < 2 ? {} : args[0]) ?? {};
  return { params, body: hasBody ? args.at(-1) : undefined };
}

/** The redirect statuses that fetch follows. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function isRedirect(response: Response | undefined): boolean {
  return response !== undefined && (response.type === 'opaqueredirect' || REDIRECTS.has(response.status));
}

/** Adds `duplex: 'half'` for a stream: without it, the platform refuses a stream as a body. */
function asSendable(init: RequestInit): RequestInit {
  return init.body instanceof ReadableStream ? ({ duplex: 'half', ...init } as RequestInit) : init;
}

/** One attempt of a call: its use of the session, and the details that observers get. */
interface Attempt extends RequestMeta {
  readonly attachCredential: AttachCredential;
  readonly verifyResponse?: VerifyResponse;
  /** The same for all attempts of one call. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Builds the request from the arguments, sends it once and reads the response. Each attempt builds the request again.
 */
async function fetchOnce(endpoint: Fetchable, args: readonly unknown[], attempt: Attempt): Promise<unknown> {
  const { attachCredential, verifyResponse, idempotencyKey, session } = attempt;
  const { params, body } = readArgs(endpoint, args);
  const url = endpoint.url(params);
  const own = withIdempotencyKey(asSendable(await endpoint.getRequestInit(body)), idempotencyKey);
  // The HTTP cache could return one user's response to another user.
  const built = session ? { ...own, cache: own.cache ?? 'no-store' } : own;
  const init = await attachCredential({ url, urlPrefix: endpoint.urlPrefix, init: built });
  // The app's own `fetchResponse` may ignore the signal.
  init.signal?.throwIfAborted();
  notifyObservers(init.method ?? endpoint.method, url, init.signal, attempt);
  const response = await endpoint.fetchResponse(url, init).catch((error: Error & { response?: Response }) => {
    const isRefused = init.redirect === 'manual' && built.redirect !== 'manual' && isRedirect(error.response);
    if (error.response) verifyResponse?.(error.response);
    throw isRefused ? new RedirectRefusedError(url) : error;
  });
  verifyResponse?.(response);
  const processed = await endpoint.process(await endpoint.parseResponse(response), ...args);
  endpoint.checkResponse?.(processed);
  return processed;
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
  const authCall = currentAuthCall();
  const idempotencyKey = idempotencyKeyFor(this);
  const once = { attempt: 1, idempotencyKey };
  if (authCall) {
    const { attachCredential, name: cause, session } = authCall;
    return fetchOnce(this, args, { ...once, attachCredential, cause, session }).catch(rethrowHandled);
  }
  if (!this.session) {
    const withoutSession = {
      ...once,
      attachCredential: noCredential,
      cause: 'first send',
      session: undefined,
    } as const;
    return fetchOnce(this, args, withoutSession).catch((error: unknown) => {
      if (this.public) markHandled(error);
      else if (isDevelopment) noteSender(error, this);
      throw error;
    });
  }
  const session = sessionCore(this.session);
  if (this.boundSession?.session === session && this.boundSession.end.aborted)
    return Promise.reject(screenEndedError());
  if (this.public)
    return fetchOnce(this, args, { ...once, attachCredential: omitCookies, cause: 'public', session }).catch(
      rethrowHandled,
    );
  let attempt = 0;
  const sendOnce = onceForStreams();
  return session
    .send({
      signal: this.signal,
      method: this.method,
      attempt: (attachCredential, verifyResponse) => {
        attempt++;
        const cause = attempt === 1 ? 'first send' : 'replay';
        return fetchOnce(this, args, {
          attempt,
          cause,
          session,
          idempotencyKey,
          attachCredential: sendOnce(attachCredential),
          verifyResponse,
        });
      },
    })
    .catch(rethrowHandled);
}

function rethrowHandled(error: unknown): never {
  markHandled(error);
  throw error;
}

/** Throws when an attempt has the same stream as an earlier attempt, because a stream can be read only once. */
function onceForStreams(): (attachCredential: AttachCredential) => AttachCredential {
  let sentBody: unknown;
  return attachCredential => request => {
    const { body } = request.init;
    if (body instanceof ReadableStream && body === sentBody) throw new UnreplayableBodyError();
    sentBody = body;
    return attachCredential(request);
  };
}
