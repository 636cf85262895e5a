import {
  BaseRestEndpoint,
  isProcessingError,
  isRecord,
  type RestEndpointConstructorOptions,
  type RestGenerics,
  type RestInstanceBase,
} from '../dataClient/rest.js';
import { getOrCreate } from '../getOrCreate.js';
import { isDevelopment } from '../isDevelopment.js';
import type { Session } from '../session/session.js';
import { noteListAnswer, warnOfAddress, warnOfSearchParam } from './addressMistakes.js';
import { fetchResponseThroughSession, fetchThroughSession, isPrepared, type Fetchable } from './fetchThroughSession.js';
import { plainHeaders } from './headers.js';
import { hasParam, pathValues, wildcardOf, wildcardPattern, type WildcardValue } from './path.js';

/** The options that the kit adds to data-client's endpoints. */
export interface AuthOptions {
  /** The session whose credentials the endpoint sends. `authEndpoint`, `hookifyResource` and `useEndpoint` set it. */
  readonly session?: Session<unknown, never, never> | undefined;
  /**
   * True to send requests without credentials: without a token, and with `credentials: 'omit'` unless `requestInit` says otherwise. They
   * wait for nothing, and their 401 does not change the session. Without a session, cookies are sent as `fetch` sends them. @default false
   */
  readonly public?: boolean | undefined;
  /**
   * True to send an `Idempotency-Key` header with each call of an unsafe method. Each call has a new key, and its replay has the same
   * key, so that the server executes the call once. A header of this name from the caller wins. @default false
   *
   * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
   */
  readonly idempotencyKey?: boolean | undefined;
}

/** The generics of an endpoint with a `*wildcard`, which data-client's types treat as a search param. */
export type WithWildcard<O extends { readonly path: string }> = O['path'] extends `${infer Head}/*${infer Name}`
  ? Omit<O, 'path' | 'searchParams'> & {
      readonly path: Head;
      readonly searchParams: (O extends { searchParams: infer Search extends object } ? Search : unknown) & {
        [K in Name]: WildcardValue;
      };
    }
  : O;

/** `WithWildcard` for compilers with `exactOptionalPropertyTypes`. */
type WithWildcardGenerics<O extends RestGenerics> = Extract<WithWildcard<O>, RestGenerics>;

type BaseInstance<O extends RestGenerics> = InstanceType<typeof BaseRestEndpoint<O>>;

/** The type of the class `RestEndpoint`, and of what `authEndpoint(session)` returns. */
export interface RestEndpointConstructor {
  new <O extends RestGenerics = any>(
    options: RestEndpointConstructorOptions<WithWildcardGenerics<O>> & Readonly<O> & AuthOptions,
  ): BaseInstance<WithWildcardGenerics<O>> & AuthOptions;
  readonly prototype: RestInstanceBase & AuthOptions;
}

/** The runtime shape of data-client's class. TypeScript cannot extend its declared type with accessors. */
interface Base extends Fetchable {
  readonly path: string;
  requestInit?: RequestInit;
  pathRegex: RegExp;
  extend(options: object): Base;
  push: Base;
  unshift: Base;
  assign: Base;
  getPage: Base;
  /** Undefined in versions of data-client before `remove` and `move`. */
  remove: Base | undefined;
  move: Base | undefined;
}
const Base = BaseRestEndpoint as unknown as new (options: object) => Base;

async function withoutContentType(init: RequestInit | Promise<RequestInit>): Promise<RequestInit> {
  const { headers, ...others } = await init;
  const { 'Content-Type': _, ...rest } = plainHeaders(headers);
  return { ...others, headers: rest };
}

type Derived = 'push' | 'unshift' | 'assign' | 'getPage' | 'remove' | 'move';
const derived = new WeakMap<object, Partial<Record<Derived, Base | undefined>>>();

/** Caches the derived endpoints that data-client would create at each access: the same endpoint gives the same object. */
function memoized<E extends Base | undefined>(endpoint: object, name: Derived, derive: () => E): E {
  const cached = getOrCreate(derived, endpoint, () => ({}));
  return (cached[name] ??= derive()) as E;
}

/** `extend` leaves the options on a prototype, but data-client polls with a copy of the endpoint's own properties. */
function copyInherited(endpoint: object): void {
  const own = endpoint as Record<string, unknown>;
  for (const name in own) own[name] = own[name];
}

function noteAnswer(list: Base, response: Promise<Response>): void {
  response.then(
    ({ status }) => noteListAnswer(list, status),
    ({ status }: { status?: number }) => status !== undefined && noteListAnswer(list, status),
  );
}

/** Answers after which data of the store is not shown any more. */
const ABOUT_THE_DATA: ReadonlySet<number> = new Set([401, 403, 404, 410]);

class AuthAwareRestEndpoint extends Base {
  constructor(options: { fetch?: unknown; requestInit?: RequestInit }) {
    const { requestInit } = options;
    super({
      ...options,
      fetch: options.fetch ?? fetchThroughSession,
      ...(requestInit?.headers && { requestInit: { ...requestInit, headers: plainHeaders(requestInit.headers) } }),
    });
    copyInherited(this);
    if (isDevelopment) warnOfAddress(this);
  }

  override url(params: object = {}): string {
    const given: Record<string, unknown> = pathValues(this.method, this.path, params as Record<string, unknown>);
    for (const [name, value] of Object.entries(params)) {
      // data-client would send a search param without a value as the text “undefined”.
      if (value === undefined || value === null || hasParam(this.path, name)) continue;
      if (isDevelopment) warnOfSearchParam(this, name, value);
      given[name] = value;
    }
    const wildcard = wildcardOf(this.path);
    if (!wildcard) return super.url(given);
    const { [wildcard.name]: segments, ...rest } = given;
    const head = super.url.call(Object.create(this, { path: { value: wildcard.head } }) as this, rest);
    const [address, ...query] = head.split(/(?=\?)/);
    return `${address}/${(segments as string[]).map(encodeURIComponent).join('/')}${query.join('')}`;
  }

  override get pathRegex(): RegExp {
    const wildcard = wildcardOf(this.path);
    return wildcard ? wildcardPattern(wildcard.head) : super.pathRegex;
  }

  /**
   * Sends an array, or a record of the store, as JSON, like other data. data-client would send it as text, a record as “[object Object]”.
   * The `Content-Type` of a `FormData` is left to the browser, also where the app has set one: only the browser knows the boundary.
   */
  override getRequestInit(body: unknown): RequestInit | Promise<RequestInit> {
    const init = super.getRequestInit(Array.isArray(body) || isRecord(body) ? { toJSON: () => body as unknown } : body);
    return body instanceof FormData ? withoutContentType(init) : init;
  }

  /**
   * A failed fetch keeps the data that the store has, unless the answer is about this data: it is gone, the user may not read it, or it cannot
   * be read.
   */
  errorPolicy(error: { status?: number; message?: unknown }): 'soft' | undefined {
    const { status } = error;
    return status === undefined || ABOUT_THE_DATA.has(status) || isProcessingError(error) ? undefined : 'soft';
  }

  /**
   * Called with a request that has its credential already, except by a `fetch` of the app's own. A `Request` in place of the address cannot be
   * built again, so it is sent as it is.
   */
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    const isOwn = this.fetch !== fetchThroughSession && typeof url === 'string' && !isPrepared(init);
    if (!isOwn) {
      const response = super.fetchResponse(url, init);
      if (isDevelopment && this.checkResponse && this.method === 'GET') noteAnswer(this, response);
      return response;
    }
    return fetchResponseThroughSession(this, [url, init], (...request) => super.fetchResponse(...request));
  }

  override get push(): Base {
    return memoized(this, 'push', () => super.push);
  }

  override get unshift(): Base {
    return memoized(this, 'unshift', () => super.unshift);
  }

  override get assign(): Base {
    return memoized(this, 'assign', () => super.assign);
  }

  override get getPage(): Base {
    return memoized(this, 'getPage', () => super.getPage);
  }

  override get remove(): Base | undefined {
    return memoized(this, 'remove', () => super.remove);
  }

  override get move(): Base | undefined {
    return memoized(this, 'move', () => super.move);
  }
}

/**
 * A REST endpoint: data-client's `RestEndpoint` with support for a session.
 *
 * All members of data-client's class work unchanged, including overrides of `getRequestInit` and `getHeaders`. In addition:
 * - a path may end in a `*wildcard`; a missing or empty path param throws a `MissingParamError`, and no request is sent;
 * - `headers` may be a `Headers` instance or tuples; an array body is sent as JSON;
 * - `push`, `unshift`, `assign`, `getPage`, and in newer versions `remove` and `move`, are the same objects at every access;
 * - with a `session`, it sends the session's credentials, which it reads at send time. A `fetch` of your own sends them by
 *   `this.fetchResponse`, or by the `fetch` of the endpoint that it extends: `base.get.fetch.call(this, ...args)`.
 *
 * @throws MissingParamError from `url()`, `key()` and the call itself.
 * @example
 * const login = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/login', method: 'POST' });
 * @see https://dataclient.io/rest/api/RestEndpoint
 */
export const RestEndpoint = AuthAwareRestEndpoint as unknown as RestEndpointConstructor;
/** The default is the same as in data-client. */
export type RestEndpoint<O extends RestGenerics = any> = InstanceType<typeof RestEndpoint<O>>;
