/** True in a worker of a page. Servers that call themselves workers (Cloudflare) have no `location`. */
function isWorkerOfPage(): boolean {
  const { WorkerGlobalScope } = globalThis as { WorkerGlobalScope?: unknown };
  return WorkerGlobalScope !== undefined && typeof location !== 'undefined';
}

/** True on a server, where web storage and channels are shared by all visitors. React Native has a `window`. */
export function isServer(): boolean {
  return typeof window === 'undefined' && !isWorkerOfPage();
}

/**
 * Returns the error for a sign-in on a server if visitors may share the session: a server loads a module once, and its
 * session would serve the requests of all visitors with the credential of one. Returns undefined if the sign-in is
 * safe.
 *
 * @param server The option of the session: true if it serves one request only.
 */
export function sharedSignInError(server: boolean | undefined): Error | undefined {
  if (server || !isServer()) return undefined;
  return new Error(
    'This session was not made for a server: its sign-in would be shared by all visitors. Make one session per request, inside the request handler, with the option `server: true`. A unit test without a `window` needs `server: true` too.',
  );
}
