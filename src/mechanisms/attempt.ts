/** The function's result; undefined where it throws, as web storage does where it is denied, or an app's option on another shape. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
