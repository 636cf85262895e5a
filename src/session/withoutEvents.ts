/** Returns the arguments without events: `onClick={logout}` passes the event of the click. */
export function withoutEvents<T>(args: readonly T[]): T[] {
  return args.filter(arg => !(typeof arg === 'object' && arg !== null && 'preventDefault' in arg));
}
