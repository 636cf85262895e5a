/**
 * The promise's outcome, or the signal's reason as soon as it is aborted, whichever comes first.
 *
 * A promise that never settles (a lost answer, a hanging `getHeaders`) still settles for its caller this way.
 */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
