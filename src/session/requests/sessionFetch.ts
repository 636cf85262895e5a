import { SessionExpiredError } from '../../errors.js';
import type { SessionParts } from '../parts.js';
import type { RequestToSend } from './requestScope.js';
import { currentAuthCall, type ObservableSession } from './runAsAuthCall.js';
import { asSendable, attemptOfAuthCall, numberedAttempts, sendOnce, type Attempt } from './sendOnce.js';

/** The init of `session.fetch`: the members of `RequestInit`, and one more. */
export interface SessionFetchInit extends RequestInit {
  /**
   * Returns true if a response refuses the credential although its status does not say so, as GraphQL does with a 200.
   * Then the credential is refreshed and the request is sent once more, as after a 401. Called with a copy of each
   * response while a user is signed in; a 401 is a refusal in any case.
   *
   * @throws anything: the caller of the request gets it in place of the response.
   */
  readonly isRefused?: ((response: Response) => boolean | Promise<boolean>) | undefined;
}

/** A function with the signature of `fetch` that sends requests as the current identity of a session. */
export type SessionFetch = (input: RequestInfo | URL, init?: SessionFetchInit) => Promise<Response>;

/** Brings a response to the code that decides about refusals, and back to the caller. */
class PossibleRefusal extends Error {
  constructor(readonly response: Response) {
    super();
  }
}

/** Creates the `fetch` of a session. It takes the same way as the requests of endpoints: see `RequestSender`. */
export function createSessionFetch(
  { store, withDeadline }: Pick<SessionParts<unknown, unknown>, 'store' | 'withDeadline'>,
  session: () => ObservableSession & { send<T>(request: RequestToSend<T>): Promise<T> },
): SessionFetch {
  // Its first part runs before anything is awaited: the request belongs to the identity of the call.
  return async (input, init = {}) => {
    const { isRefused } = init;
    const call = readCall(input, init);
    const send = async (attempt: Attempt, untilRead: (sent: RequestInit) => RequestInit = sent => sent) =>
      sendOnce({ ...call, urlPrefix: '', init: await call.init }, attempt, (url, sent) => fetch(url, untilRead(sent)));
    const authCall = currentAuthCall();
    if (authCall) return send(attemptOfAuthCall(authCall));

    const { method, signal } = call;
    const { epochSignal } = store;
    // The caller reads the body when the request scope has ended, so the signals are composed for the platform's fetch.
    const untilRead = (sent: RequestInit) =>
      signal ? { ...sent, signal: AbortSignal.any([sent.signal!, epochSignal, signal]) } : sent;
    let refusal: Response | undefined;
    const sendAttempt = async (attempt: Attempt): Promise<Response> => {
      const response = await send(attempt, untilRead);
      if (response.ok && !isRefused) return response;
      throw new PossibleRefusal(response);
    };
    try {
      return await session().send({
        method,
        signal,
        sendAttempt: numberedAttempts(session(), sendAttempt),
        isRefused: isRefused && (response => isRefused(response.clone())),
        async onRefused(response) {
          refusal = await withDeadline(copyOf(response), epochSignal).catch(() => undefined);
        },
      });
    } catch (error) {
      if (error instanceof PossibleRefusal) return error.response;
      if (error instanceof SessionExpiredError && refusal) return refusal;
      throw error;
    }
  };
}

/** Copies a refusal: the end of the session, which it may cause, aborts its own body. */
async function copyOf(response: Response): Promise<Response> {
  const read = response.clone();
  const copy = new Response(read.body && (await read.blob()), read);
  return Object.defineProperty(copy, 'url', { value: response.url });
}

/** One call of `session.fetch`, read when it was made: its caller may use a `Request` again. */
interface Call {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignal | undefined;
  readonly init: Promise<RequestInit>;
}

function readCall(input: RequestInfo | URL, own: SessionFetchInit): Call {
  // The members of a `Request` are no own properties: `fetch(address, request)` would lose them.
  const request = [own, input].find(source => source instanceof Request);
  // Like `fetch`, takes a member that is undefined for a missing one.
  const given: RequestInit = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const method = (given.method ?? request?.method ?? 'GET').toUpperCase();
  const { signal = request?.signal ?? null } = given;
  const init = readInit(request, { ...given, method, signal });
  // The request may be rejected before anything waits for its init.
  init.catch(() => {});
  return { url: input instanceof Request ? input.url : String(input), method, signal: signal ?? undefined, init };
}

/** The members of a `Request` that its init may have too, without those that need more than a copy. */
const COPIED = ['mode', 'credentials', 'redirect', 'referrer', 'referrerPolicy', 'integrity', 'keepalive'] as const;

/** Merges a request and an init, as `fetch` does. The body of the request becomes a `Blob`, which can be signed and sent twice. */
async function readInit(request: Request | undefined, given: RequestInit): Promise<RequestInit> {
  if (!request) return asSendable(given);
  const { cache } = request;
  // A request that was used up cannot be cloned; its init may have another body.
  const body = 'body' in given ? undefined : await request.clone().blob();
  return asSendable({
    // A plain object: in Node, `new Headers(request.headers)` is empty while msw is at work.
    headers: Object.fromEntries(request.headers),
    ...Object.fromEntries(COPIED.map(name => [name, request[name]])),
    // The default of a `Request` does not say that its caller wants the HTTP cache.
    ...(cache !== 'default' && { cache }),
    ...(body?.size && { body }),
    ...given,
  });
}
