import { untilAborted } from '../../clock.js';
import { RedirectRefusedError, UnreplayableBodyError } from '../../errors.js';
import { isDevelopment } from '../../isDevelopment.js';
import { notifyObservers, type RequestMeta } from '../observeRequests.js';
import type { OutgoingRequest } from './outgoingRequest.js';
import type { RequestToSend } from './requestScope.js';
import type { AuthCall, ObservableSession } from './runAsAuthCall.js';
import { warnOfCors } from './warnOfCors.js';

export type AttachCredential = (request: OutgoingRequest) => RequestInit | Promise<RequestInit>;

/** One attempt of a call: its use of the session, and the details that observers get. */
export interface Attempt extends RequestMeta {
  readonly attachCredential: AttachCredential;
  readonly verifyResponse?: (response: Response) => void;
}

/** The redirect statuses that fetch follows. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || REDIRECTS.has(response.status);
}

/**
 * Puts the credential on a built request and sends it once.
 *
 * @param method For observers, if the init has none.
 * @param transport Sends the request. May reject with an error that has the `response`.
 * @throws RedirectRefusedError, and what `attachCredential`, `verifyResponse` and the transport throw.
 */
export async function sendOnce(
  { url, urlPrefix, init: own, method }: OutgoingRequest & { readonly method: string },
  attempt: Attempt,
  transport: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Response> {
  const { attachCredential, verifyResponse, session } = attempt;
  // The HTTP cache could return one user's response to another user.
  const built = asSendable(session ? { ...own, cache: own.cache ?? 'no-store' } : own);
  const init = await attachCredential({ url, urlPrefix, init: built });
  // The app's own transport may ignore the signal.
  init.signal?.throwIfAborted();
  notifyObservers(init.method ?? method, url, init.signal, attempt);
  const verify = (response: Response) => {
    verifyResponse?.(response);
    const isRefused = init.redirect === 'manual' && built.redirect !== 'manual' && isRedirect(response);
    if (isRefused) throw new RedirectRefusedError(url);
  };
  const sent = transport(url, init);
  const response = await (init.signal ? untilAborted(init.signal, sent) : sent).catch(
    (error: Error & { response?: Response }) => {
      if (error.response) verify(error.response);
      else if (isDevelopment) warnOfCors(url, init, error);
      throw error;
    },
  );
  verify(response);
  return response;
}

/** Returns the only attempt of a call that belongs to an auth call. */
export function attemptOfAuthCall({ attachCredential, name: cause, session }: AuthCall): Attempt {
  return { attempt: 1, attachCredential, cause, session };
}

/** Returns what `session.send` calls for each attempt of one call: it numbers the attempts, and sends no stream twice. */
export function numberedAttempts<T>(
  session: ObservableSession,
  send: (attempt: Attempt) => Promise<T>,
): RequestToSend<T>['sendAttempt'] {
  let attempt = 0;
  const refuseSecond = onceForStreams();
  return (attachCredential, verifyResponse) => {
    attempt++;
    const cause = attempt === 1 ? 'first send' : 'replay';
    return send({ attempt, cause, session, attachCredential: refuseSecond(attachCredential), verifyResponse });
  };
}

/** Throws when an attempt has the same stream as an earlier attempt, because a stream can be read only once. */
function onceForStreams(): (attachCredential: AttachCredential) => AttachCredential {
  let sentBody: unknown;
  return attachCredential => request => {
    const { body } = request.init;
    if (isStream(body) && body === sentBody) throw new UnreplayableBodyError();
    sentBody = body;
    return attachCredential(request);
  };
}

/** Node takes its own streams and generators as bodies, too. A second send of a generator would have an empty body. */
function isStream(body: unknown): boolean {
  return body instanceof ReadableStream || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body);
}

/** Adds `duplex: 'half'` for a stream: without it, the platform refuses a stream as a body. */
function asSendable(init: RequestInit): RequestInit {
  return isStream(init.body) ? ({ duplex: 'half', ...init } as RequestInit) : init;
}
