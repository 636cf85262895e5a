const judged = new WeakSet<object>();

/** Marks an error as one that a session has judged (or, for a public endpoint, has no say in). */
export function markJudged(error: unknown): void {
  if (typeof error === 'object' && error !== null) judged.add(error);
}

/** Whether a session has judged this error already; `LogoutManager` leaves such errors alone. */
export function isJudged(error: object): boolean {
  return judged.has(error);
}
