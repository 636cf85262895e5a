/** A worker of a page. Servers that call themselves workers (Cloudflare) have no `location`. */
function isWorkerOfPage(): boolean {
  const { WorkerGlobalScope } = globalThis as { WorkerGlobalScope?: unknown };
  return WorkerGlobalScope !== undefined && typeof location !== 'undefined';
}

/** Whether this code runs on a server. React Native has a `window`. */
function isServer(): boolean {
  return typeof window === 'undefined' && !isWorkerOfPage();
}

/**
 * The error of a sign-in on a server by a session that may be shared: a module is loaded once there, and its session would serve
 * the requests of all visitors with the credential of one. Undefined where the sign-in is fine.
 *
 * @param server The option: true for a session that serves one request only.
 */
export function sharedSignInError(server: boolean | undefined): Error | undefined {
  if (server || !isServer()) return undefined;
  return new Error(
    'This session was not made for a server: its sign-in would be shared by all visitors. Make one session per request, inside the request handler, with the option `server: true`.',
  );
}
