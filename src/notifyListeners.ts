/** Adds a listener. Returns the function that removes it. One function that is added twice is called twice. */
export function addListener<Args extends unknown[]>(
  listeners: Set<(...args: Args) => void>,
  listener: (...args: Args) => void,
): () => void {
  const entry = (...args: Args) => listener(...args);
  listeners.add(entry);
  return () => void listeners.delete(entry);
}

/** Calls every listener. A throwing listener is reported as an uncaught error and does not stop the others. */
export function notifyListeners<Args extends unknown[]>(
  listeners: ReadonlySet<(...args: Args) => void>,
  ...args: Args
): void {
  for (const listener of [...listeners]) callUserCallback(() => listener(...args));
}

/** Calls a callback of the app. An error that it throws is reported as uncaught, and does not reach the caller. */
export function callUserCallback(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    reportUncaught(error);
  }
}

/** Reports an error as the browser reports one that no code has caught. */
export function reportUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
