import type { OutgoingRequest } from './outgoingRequest.js';

/** The conditions under which a request may still be sent. Created when a caller starts the request. */
export interface RequestScope {
  /**
   * Aborted when the epoch in which the request was started ends, or the caller aborts. The reason is the error for the
   * caller.
   */
  readonly signal: AbortSignal;
  /** The caller's own abort signal. */
  readonly callerSignal: AbortSignal | undefined;
  /** The version of the credential that the last attempt carried. */
  credentialVersion: number;
  /** How many refreshes of this tab had succeeded when the caller started the request. */
  readonly refreshesBefore: number;
  /** The same when the last attempt was sent. */
  refreshesAtSend: number;
  /** How many refreshes had failed then. */
  failedRefreshes: number;
  /** Aborts `signal`, if it is this scope's own. */
  readonly abort?: (reason: Error) => void;
  /** Removes the listeners from the signals above, if it has any. Call when the request has settled. */
  readonly release?: () => void;
}

/** One request of a caller, as the session sees it. */
export interface RequestToSend<T> {
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  readonly method: string;
  /** Returns true if a response refuses the credential, beside the mechanism's own rule. @default the mechanism's rule only */
  readonly isRefused?: ((response: Response) => boolean | Promise<boolean>) | undefined;
  /**
   * Called with each response that refuses the credential, before the refusal has any effect. Must not reject.
   *
   * @param mayEnd True if the session may end next. False: a refresh is next, which must not wait for the body.
   */
  readonly onRefused?: ((response: Response, mayEnd: boolean) => Promise<void>) | undefined;
  /**
   * Builds the request from the caller's arguments, sends it once and resolves with the data of the response.
   * `attachCredential` puts the credential on it, right before it is sent. `verifyResponse` throws when the response
   * names another user; its body must not be read then. When the server refuses, rejects with an error that has the
   * `response`.
   */
  sendAttempt(
    attachCredential: (request: OutgoingRequest) => Promise<RequestInit>,
    verifyResponse: (response: Response) => void,
  ): Promise<T>;
}

/**
 * Creates a scope whose signal is aborted when the epoch ends or the caller aborts, whichever comes first.
 *
 * Without a caller's signal, the scope uses the epoch's signal. Otherwise it uses its own controller, not
 * `AbortSignal.any`: Node keeps a composed signal alive as long as anything listens to it, and a request's transport
 * may listen for ever.
 */
export function createRequestScope(
  { credentialVersion, refreshesBefore }: Pick<RequestScope, 'credentialVersion' | 'refreshesBefore'>,
  epochSignal: AbortSignal,
  callerSignal: AbortSignal | undefined,
): RequestScope {
  const counts = { credentialVersion, refreshesBefore, refreshesAtSend: refreshesBefore, failedRefreshes: 0 };
  if (!callerSignal) return { signal: epochSignal, callerSignal, ...counts };
  const controller = new AbortController();
  const abortWith = (source: AbortSignal) => () => controller.abort(source.reason);
  const links = [epochSignal, callerSignal].map(source => ({ source, abort: abortWith(source) }));
  for (const { source, abort } of links) {
    if (source.aborted) abort();
    source.addEventListener('abort', abort, { once: true });
  }
  const release = () => {
    for (const { source, abort } of links) source.removeEventListener('abort', abort);
  };
  const abort = (reason: Error) => controller.abort(reason);
  return { signal: controller.signal, callerSignal, ...counts, abort, release };
}
