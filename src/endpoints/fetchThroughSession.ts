import { RedirectRefusedError, UnreplayableBodyError } from '../errors.js';
import { carryNothing, currentOwnCall } from '../mechanisms/ownCall.js';
import { send } from '../session/send.js';
import { engineOf } from './engineOf.js';
import { tellObservers, type SendingNote } from './observeRequests.js';
import type { Outgoing, Session } from '../session/types.js';
import { markJudged } from './judged.js';

/** What the fetch of an endpoint needs of it: data-client's own members, which subclasses may override, and the kit's. */
export interface Fetchable {
  readonly method: string;
  readonly urlPrefix: string;
  readonly signal?: AbortSignal | undefined;
  readonly body?: unknown;
  readonly session?: Session | undefined;
  readonly public?: boolean | undefined;
  url(params: object): string;
  getRequestInit(body: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<unknown>;
  process(value: unknown, ...args: unknown[]): unknown;
}

type Carry = (request: Outgoing) => RequestInit | Promise<RequestInit>;

const carryNoCookie: Carry = ({ init }) => ({ credentials: 'omit', ...init });

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

/** Builds the request from the arguments, sends it once and reads the answer. Everything is built anew at each call. */
async function fetchOnce(endpoint: Fetchable, args: readonly unknown[], carry: Carry, note: SendingNote): Promise<unknown> {
  const { params, body } = readArgs(endpoint, args);
  const url = endpoint.url(params);
  const init = asSendable(await endpoint.getRequestInit(body));
  const carried = await carry({ url, urlPrefix: endpoint.urlPrefix, init });
  // Whoever left in the meantime sends nothing, not even through a transport that heeds no signal.
  carried.signal?.throwIfAborted();
  tellObservers(carried.method ?? endpoint.method, url, carried.signal, note);
  const response = await endpoint.fetchResponse(url, carried).catch((error: Error & { response?: Response }) => {
    const refused = carried.redirect === 'manual' && init.redirect !== 'manual' && isRedirect(error.response);
    throw refused ? new RedirectRefusedError(url) : error;
  });
  return endpoint.process(await endpoint.parseResponse(response), ...args);
}

/**
 * The `fetch` of the kit's endpoints: how a request meets the session.
 *
 * Without a session it is data-client's own. With one, the request travels as the identity that started it: see `send`.
 * A session's own login, refresh, logout and whoami, and public endpoints, take no part in its refreshes.
 */
export function fetchThroughSession(this: Fetchable, ...args: unknown[]): Promise<unknown> {
  const own = currentOwnCall();
  const judged = (error: unknown) => {
    markJudged(error);
    throw error;
  };
  if (own) return fetchOnce(this, args, own.carry, { attempt: 1, cause: own.label?.name ?? 'own call', engine: own.label?.engine }).catch(judged);
  if (!this.session) return fetchOnce(this, args, carryNothing, { attempt: 1, cause: 'first send', engine: undefined });
  const engine = engineOf(this.session);
  if (this.public) return fetchOnce(this, args, carryNoCookie, { attempt: 1, cause: 'public', engine }).catch(judged);
  let sent: unknown;
  let attempt = 0;
  return send(engine, {
    signal: this.signal,
    method: this.method,
    attempt: carry => {
      const carryOnce: Carry = request => {
        const { body } = request.init;
        if (body instanceof ReadableStream && body === sent) throw new UnreplayableBodyError();
        sent = body;
        return carry(request);
      };
      attempt++;
      return fetchOnce(this, args, carryOnce, { attempt, cause: attempt === 1 ? 'first send' : 'replay', engine });
    },
  }).catch(judged);
}
