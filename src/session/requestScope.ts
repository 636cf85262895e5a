import type { OutgoingRequest } from './outgoingRequest.js';

/** Created when a caller starts a request: what that request may still do depends on it. */
export interface RequestScope {
  /** Aborted, with the error to reject with, when the epoch in which the request was started ends, or the caller gives up. */
  readonly signal: AbortSignal;
  /** The caller's own abort signal. */
  readonly callerSignal: AbortSignal | undefined;
  /** The version of the credential that the last attempt carried. */
  credentialVersion: number;
  /** Removes its listeners from the signals above; called once the request is settled. */
  readonly release: () => void;
}

/** One request of a caller, as the session sees it. */
export interface RequestToSend<T> {
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  readonly method: string;
  /**
   * Builds the request from the caller's arguments, sends it once and resolves with the answer. `attachCredential` puts the
   * credential on it, right before it is sent. `verifyResponse` throws when
   * the answer is another user's; nothing of it may be read then. Rejects with an error that has the `response` when the
   * server refuses.
   */
  attempt(
    attachCredential: (request: OutgoingRequest) => Promise<RequestInit>,
    verifyResponse: (response: Response) => void,
  ): Promise<T>;
}

const nothingToRelease = () => {};

/**
 * A scope whose signal is aborted when the epoch ends or the caller gives up, whichever comes first.
 *
 * Without a signal of the caller, the epoch's own signal serves. Else a controller of its own, not `AbortSignal.any`: Node keeps
 * a composed signal alive as long as anything listens to it, and a request's transport may listen for ever.
 */
export function createRequestScope(
  credentialVersion: number,
  epochSignal: AbortSignal,
  callerSignal: AbortSignal | undefined,
): RequestScope {
  if (!callerSignal) return { signal: epochSignal, callerSignal, credentialVersion, release: nothingToRelease };
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
  return { signal: controller.signal, callerSignal, credentialVersion, release };
}
