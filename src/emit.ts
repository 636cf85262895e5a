/** Tells every listener. One that throws is reported like any uncaught error, and neither the teller nor the others notice. */
export function emit<Args extends unknown[]>(listeners: ReadonlySet<(...args: Args) => void>, ...args: Args): void {
  for (const listener of [...listeners]) {
    try {
      listener(...args);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
