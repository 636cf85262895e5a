/** A promise that a test settles: an answer, a stored text, an SDK's token. Node 20 has no `Promise.withResolvers`. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  return { promise, resolve, reject };
}

/** What became of promises: how many resolved, and the reasons of those that did not. */
export async function outcomes(promises: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(promises);
  const reasons = settled.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []));
  return { resolved: settled.length - reasons.length, reasons };
}

/** The error a promise rejects with. */
export function errorOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error('The promise was expected to reject.');
    },
    (error: unknown) => error as Error,
  );
}

/** `done`, or the name of the error that a promise rejects with. */
export function outcomeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: Error) => error.name,
  );
}

/** Whether a promise is still pending after everything that can happen now has happened. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const done = () => void (pending = false);
  promise.then(done, done);
  for (let turn = 0; turn < 8; turn++) await new Promise(resolve => setImmediate(resolve));
  return pending;
}
