import { sessionCore } from './sessionCore.js';
import { isDevelopment } from '../isDevelopment.js';
import { markHandled, noteSender } from '../session/errorMarks.js';
import { notifyObservers } from '../session/observeRequests.js';
import { warnOfCors } from '../session/warnOfCors.js';
import { screenEndedError } from '../errors.js';
import type { Session } from '../session/session.js';
import type { SessionCore, OutgoingRequest, Transport } from '../session/extension.js';
import type { Role } from '../session/queue.js';
import { sessionAtWork } from '../session/request.js';
import { isSafeMethod } from '../session/isSafeMethod.js';

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
  /** The writer of the session that sends with this endpoint. Undefined: its user does. */
  readonly role?: Role | undefined;
  /** The session with the identity of the screen that rendered the endpoint. Undefined outside React. */
  readonly boundSession?: { readonly session: unknown; readonly end: AbortSignal } | undefined;
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

/** Splits the arguments of an endpoint into params and body. For an endpoint with a body, a single argument is the body. */
function readArgs(endpoint: Fetchable, args: readonly unknown[]): { params: object; body: unknown } {
  const hasBody =
    (!('body' in endpoint) || endpoint.body !== undefined) && !['GET', 'DELETE'].includes(endpoint.method);
  const params = (hasBody && args.length < 2 ? {} : args[0]) ?? {};
  return { params, body: hasBody ? args.at(-1) : undefined };
}

/**
 * The `fetch` of the kit's endpoints. It builds the request once, and sends it through the endpoint's session.
 *
 * Without a session it works like data-client's. With one, the request is sent with the identity that started it, or not at all. An
 * endpoint that a screen captured sends nothing after the identity of that screen has ended. Public endpoints carry nothing.
 */
export async function fetchThroughSession(this: Fetchable, ...args: unknown[]): Promise<unknown> {
  const send = openCall(this);
  const { params, body } = readArgs(this, args);
  const response = await send(
    async () => ({ url: this.url(params), init: await this.getRequestInit(body) }),
    (url, init) => this.fetchResponse(url, { ...init, [PREPARED]: true } as RequestInit),
  );
  const processed = await this.process(await this.parseResponse(response), ...args);
  // A `fetch` of the app's own calls this one, and may then take the list out of the response.
  return this.fetch === fetchThroughSession && this.checkResponse ? this.checkResponse(processed, args) : processed;
}

/**
 * Sends the request of an endpoint whose `fetch` is the app's own, when that calls `this.fetchResponse`. The request starts now: the
 * session knows nothing of what the app's `fetch` did before.
 *
 * @param transport data-client's `fetchResponse`.
 */
export async function fetchResponseThroughSession(
  endpoint: Fetchable,
  [url, init]: readonly [url: string, init: RequestInit],
  transport: Transport,
): Promise<Response> {
  return openCall(endpoint)(async () => ({ url, init }), transport);
}

const PREPARED = Symbol('data-client-auth prepared');

/** True for the init of a request that has its credential already. */
export function isPrepared(init: RequestInit | undefined): boolean {
  return init !== undefined && PREPARED in init;
}

type Build = () => Promise<{ readonly url: string; readonly init: RequestInit }>;

/** Opens the scope of a call, before anything is awaited. Returns the function that sends its request. */
function openCall(endpoint: Fetchable): (build: Build, transport: Transport) => Promise<Response> {
  const { method, urlPrefix, signal, role, boundSession } = endpoint;
  const atWork = endpoint.session ? undefined : sessionAtWork();
  const session = endpoint.session ?? atWork;
  const core = session && sessionCore(session);
  if (core && boundSession?.session === core && boundSession.end.aborted) throw screenEndedError();
  const isWriter = role !== undefined || atWork !== undefined;
  const scope = core && (isWriter || !endpoint.public) ? core.open(signal, role) : undefined;
  const idempotencyKey = idempotencyKeyFor(endpoint);
  return async (build, transport) => {
    try {
      const request = build().then(({ url, init }): OutgoingRequest => {
        return { url, urlPrefix, method, init: withIdempotencyKey(init, idempotencyKey) };
      });
      // The scope may end before anything waits for it.
      request.catch(() => {});
      return await (core && scope ? core.send(scope, request, transport) : sendFree(core, await request, transport));
    } catch (error) {
      if (core || endpoint.public) markHandled(error);
      else if (isDevelopment) noteSender(error, endpoint);
      throw error;
    }
  };
}

/** A public request, or one without a session. */
function sendFree(core: SessionCore | undefined, request: OutgoingRequest, transport: Transport): Promise<Response> {
  const { url, method } = request;
  const init = core ? { credentials: 'omit' as const, cache: 'no-store' as const, ...request.init } : request.init;
  const meta = { attempt: 1, cause: core ? ('public' as const) : ('first send' as const), session: core };
  notifyObservers(init.method ?? method, url, init.signal, meta);
  const answer = transport(url, init);
  if (!isDevelopment) return answer;
  return answer.catch((error: Error & { response?: Response }) => {
    if (!error?.response) warnOfCors(url, init, error);
    throw error;
  });
}

const HEADER = 'Idempotency-Key';

/** Creates a key for one call. Returns undefined for safe methods and for endpoints without `idempotencyKey`. */
function idempotencyKeyFor({
  method,
  idempotencyKey,
}: {
  method: string;
  idempotencyKey?: boolean | undefined;
}): string | undefined {
  return idempotencyKey && !isSafeMethod(method) ? randomId() : undefined;
}

/** Adds the key to the init, unless the caller has set one. */
function withIdempotencyKey(init: RequestInit, key: string | undefined): RequestInit {
  if (key === undefined) return init;
  const headers = new Headers(init.headers);
  if (headers.has(HEADER)) return init;
  headers.set(HEADER, key);
  return { ...init, headers };
}

/** Creates a random id. Pages on plain HTTP have no `randomUUID`. */
function randomId(): string {
  return (
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
  );
}
