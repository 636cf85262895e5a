const handled = new WeakSet<object>();

/** Marks an error that a session has classified, or that concerns no session (of a public endpoint). */
export function markHandled(error: unknown): void {
  if (typeof error === 'object' && error !== null) handled.add(error);
}

/** True for a marked error. `LogoutManager` ignores these. */
export function isHandled(error: object): boolean {
  return handled.has(error);
}
