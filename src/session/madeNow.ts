const made = new WeakSet<object>();

/** Notes that a session is made, for `isMadeNow`. */
export function noteMade(session: object): void {
  made.add(session);
  queueMicrotask(() => made.delete(session));
}

/** True until the code that has made the session returns: in a render, a component makes it. A hot update has loaded a module before. */
export function isMadeNow(session: object): boolean {
  return made.has(session);
}
