/** What the function makes of it; undefined where it throws, as web storage does where it is denied, or an app's option over another shape. */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
