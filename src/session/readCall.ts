/** One call of `session.fetch`, read when it was made: its caller may use the arguments again, and change them. */
export interface Call {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignal | undefined;
  readonly init: Promise<RequestInit>;
}

/** Reads the arguments of a call, as `fetch` does: all that its caller can change is copied before anything is awaited. */
export function readCall(input: RequestInfo | URL, own: RequestInit): Call {
  // The members of a `Request` are no own properties: `fetch(address, request)` would lose them.
  const request = [own, input].find(isRequest);
  // Like `fetch`, takes a member that is undefined for a missing one.
  const given: RequestInit = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const method = (given.method ?? request?.method ?? 'GET').toUpperCase();
  const { signal = request?.signal ?? null } = given;
  const copied = {
    ...given,
    ...(given.headers && { headers: copyHeaders(given.headers) }),
    ...(given.body && { body: copyBody(given.body) }),
  };
  const init = readInit(request, { ...copied, method, signal });
  // The request may be rejected before anything waits for its init.
  init.catch(() => {});
  return { url: isRequest(input) ? input.url : addressOf(input), method, signal: signal ?? undefined, init };
}

/** A `Request` of an `<iframe>` or a popup is an instance of that window's class. */
function isRequest(source: unknown): source is Request {
  return source instanceof Request || Object.prototype.toString.call(source) === '[object Request]';
}

/**
 * The address of a call. One that is relative to the page's path is resolved now, as `fetch` does: a router may have changed the
 * path when the request is sent, or sent again.
 */
function addressOf(input: string | URL): string {
  const address = String(input);
  const isOfPath = typeof document !== 'undefined' && !address.startsWith('/') && !URL.canParse(address);
  return isOfPath && URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href : address;
}

/** A plain object. The entries of `Headers` first: in Node, `new Headers(request.headers)` is empty while msw is at work. */
function copyHeaders(headers: HeadersInit): Record<string, string> {
  return Symbol.iterator in headers ? Object.fromEntries(new Headers([...headers])) : { ...headers };
}

/** Copies a body that its caller can change. A string and a `Blob` never change, and a stream cannot be copied. */
function copyBody(body: BodyInit): BodyInit {
  if (body instanceof URLSearchParams) return new URLSearchParams(body);
  if (body instanceof ArrayBuffer) return body.slice(0);
  // The `slice` of Node's `Buffer` copies nothing, and a `DataView` has none.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  if (!(body instanceof FormData)) return body;
  const copy = new FormData();
  // `append` for an entry of each kind: TypeScript has no overload for both.
  for (const [name, value] of body) copy.append(name, value as string);
  return copy;
}

/** The members of a `Request` that its init may have too, without those that need more than a copy. */
const COPIED = ['credentials', 'redirect', 'referrer', 'referrerPolicy', 'integrity', 'keepalive'] as const;

/** Merges a request and an init, as `fetch` does. The body of the request becomes a `Blob`, which can be signed and sent twice. */
async function readInit(request: Request | undefined, given: RequestInit): Promise<RequestInit> {
  if (!request) return given;
  const { cache, mode } = request;
  const members = {
    headers: copyHeaders(request.headers),
    ...Object.fromEntries(COPIED.map(name => [name, request[name]])),
    // No init may have the mode of a navigation, which a service worker gets. With an init, `new Request` does the same.
    mode: mode === 'navigate' ? 'same-origin' : mode,
    // The default of a `Request` does not say that its caller wants the HTTP cache.
    ...(cache !== 'default' && { cache }),
  } as const;
  // A request that was used up cannot be cloned; its init may have another body.
  const body = 'body' in given ? undefined : await request.clone().blob();
  return { ...members, ...(body?.size && { body }), ...given };
}
