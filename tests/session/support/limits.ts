/** How long a login waits for the requests on the wire before it aborts them, in milliseconds. */
export const drainMs = 10_000;
/** How long a call of the session itself may take, in milliseconds. */
export const callLimitMs = 30_000;
/** What a sign-out sends after the page was idle or frozen: it does not hold the cookie any more, so it asks whose that is. */
export const lateLogout = ['GET /whoami', 'POST /logout'];
export const calls = (seen: readonly { method: string; path: string }[]) =>
  seen.map(({ method, path }) => `${method} ${path}`);
