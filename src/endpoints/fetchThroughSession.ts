import { RedirectRefusedError, UnreplayableBodyError } from '../errors.js';
import { markHandled } from '../session/handledErrors.js';
import { currentAuthCall } from '../session/runAsAuthCall.js';
import { screenEndedError } from '../session/screenEndedError.js';
import type { OutgoingRequest } from '../session/outgoingRequest.js';
import type { Session } from '../session/session.js';
import type { BoundSession } from './boundSession.js';
import { idempotencyKeyFor, withIdempotencyKey } from './idempotencyKey.js';
import { notifyObservers, type RequestMeta } from './observeRequests.js';
import { sessionCore } from './sessionCore.js';

/** What the fetch of an endpoint uses of it: data-client's own members, which subclasses may override, and the kit's. */
export interface Fetchable {
  readonly method: string;
  readonly urlPrefix: string;
  readonly signal?: AbortSignal | undefined;
  readonly body?: unknown;
  readonly session?: Session | undefined;
  /** The session as the screen had it that rendered the endpoint; absent outside React. */
  readonly boundSession?: BoundSession | undefined;
  readonly public?: boolean | undefined;
  readonly idempotencyKey?: boolean | undefined;
  url(params: object): string;
  getRequestInit(body: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<unknown>;
  process(value: unknown, ...args: unknown[]): unknown;
}

type AttachCredential = (request: OutgoingRequest) => RequestInit | Promise<RequestInit>;
type VerifyResponse = (response: Response) => void;

const noCredential: AttachCredential = ({ init }) => init;
const omitCookies: AttachCredential = ({ init }) => ({ credentials: 'omit', ...init });

/** The params and the body among an endpoint's arguments: with one argument, an endpoint with a body takes it as the body. */
function readArgs(endpoint: Fetchable, args: readonly unknown[]): { params: object; body: unknown } {
  const hasBody = (!('body' in endpoint) || endpoint.body !== undefined) && !['GET', 'DELETE'].includes(endpoint.method);
  const params = (hasBody && args.length < 2 ? {} : args[0]) ?? {};
  return { params, body: hasBody ? args.at(-1) : undefined };
}

/** The statuses that fetch follows; 304 is not one of them. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function isRedirect(response: Response | undefined): boolean {
  return response !== undefined && (response.type === 'opaqueredirect' || REDIRECTS.has(response.status));
}

/** A stream as a body is refused by the platform unless it is told that the answer comes after it. */
function asSendable(init: RequestInit): RequestInit {
  return init.body instanceof ReadableStream ? ({ duplex: 'half', ...init } as RequestInit) : init;
}

/** One attempt of a call: how it meets the session, and what observers see of it. */
interface Attempt extends RequestMeta {
  readonly attachCredential: AttachCredential;
  readonly verifyResponse?: VerifyResponse;
  /** The same for all attempts of one call. */
  readonly idempotencyKey: string | undefined;
}

/** Builds the request from the arguments, sends it once and reads the answer. Each attempt builds all of it again. */
async function fetchOnce(endpoint: Fetchable, args: readonly unknown[], attempt: Attempt): Promise<unknown> {
  const { attachCredential, verifyResponse, idempotencyKey, session } = attempt;
  const { params, body } = readArgs(endpoint, args);
  const url = endpoint.url(params);
  const own = withIdempotencyKey(asSendable(await endpoint.getRequestInit(body)), idempotencyKey);
  // The HTTP cache would answer one user with what another one read.
  const built = session ? { ...own, cache: own.cache ?? 'no-store' } : own;
  const init = await attachCredential({ url, urlPrefix: endpoint.urlPrefix, init: built });
  // A transport of the app's own may ignore the signal.
  init.signal?.throwIfAborted();
  notifyObservers(init.method ?? endpoint.method, url, init.signal, attempt);
  const response = await endpoint.fetchResponse(url, init).catch((error: Error & { response?: Response }) => {
    const isRefused = init.redirect === 'manual' && built.redirect !== 'manual' && isRedirect(error.response);
    if (error.response) verifyResponse?.(error.response);
    throw isRefused ? new RedirectRefusedError(url) : error;
  });
  verifyResponse?.(response);
  return endpoint.process(await endpoint.parseResponse(response), ...args);
}

/**
 * The `fetch` of the kit's endpoints: how a request meets the session.
 *
 * Without a session it is data-client's own. With one, the request is sent as the identity that started it, or not at all:
 * see `RequestSender`. An endpoint that a screen captured sends nothing once the identity of that screen has left. A session's own
 * login, refresh, logout and whoami, and public endpoints, take no part in its refreshes. All of a session's requests go with
 * `cache: 'no-store'`, unless the endpoint sets `cache`.
 */
export function fetchThroughSession(this: Fetchable, ...args: unknown[]): Promise<unknown> {
  const authCall = currentAuthCall();
  const idempotencyKey = idempotencyKeyFor(this);
  const once = { attempt: 1, idempotencyKey };
  if (authCall) {
    const { attachCredential, name: cause, session } = authCall;
    return fetchOnce(this, args, { ...once, attachCredential, cause, session }).catch(rethrowHandled);
  }
  if (!this.session) return fetchOnce(this, args, { ...once, attachCredential: noCredential, cause: 'first send', session: undefined });
  const session = sessionCore(this.session);
  if (this.boundSession?.session === session && this.boundSession.end.aborted) return Promise.reject(screenEndedError());
  if (this.public) return fetchOnce(this, args, { ...once, attachCredential: omitCookies, cause: 'public', session }).catch(rethrowHandled);
  let attempt = 0;
  const sendOnce = onceForStreams();
  return session
    .send({
      signal: this.signal,
      method: this.method,
      attempt: (attachCredential, verifyResponse) => {
        attempt++;
        const cause = attempt === 1 ? 'first send' : 'replay';
        return fetchOnce(this, args, { attempt, cause, session, idempotencyKey, attachCredential: sendOnce(attachCredential), verifyResponse });
      },
    })
    .catch(rethrowHandled);
}

function rethrowHandled(error: unknown): never {
  markHandled(error);
  throw error;
}

/** A stream can be read once: an attempt with the stream of an earlier attempt is an error. */
function onceForStreams(): (attachCredential: AttachCredential) => AttachCredential {
  let sentBody: unknown;
  return attachCredential => request => {
    const { body } = request.init;
    if (body instanceof ReadableStream && body === sentBody) throw new UnreplayableBodyError();
    sentBody = body;
    return attachCredential(request);
  };
}
