const handled = new WeakSet<object>();

/** Marks an error as one that a session has classified, or that concerns no session (a public endpoint's). */
export function markHandled(error: unknown): void {
  if (typeof error === 'object' && error !== null) handled.add(error);
}

/** Whether a session has classified this error already. `LogoutManager` leaves such errors alone. */
export function isHandled(error: object): boolean {
  return handled.has(error);
}
