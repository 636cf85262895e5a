/** True where the tests run on the new core. Expectations that the third edition changes ask for it, until the old core is gone. */
export const thirdEdition = process.env.NEXT_CORE === '1';
/** How long a login waits for the requests on the wire before it aborts them, in milliseconds. */
export const drainMs = thirdEdition ? 10_000 : 5_000;
/** How long a call of the session itself may take, in milliseconds. */
export const callLimitMs = thirdEdition ? 30_000 : 10_000;
/** What a sign-out sends after the page was idle or frozen: it does not hold the cookie any more, so it asks whose that is. */
export const lateLogout = thirdEdition ? ['GET /whoami', 'POST /logout'] : ['POST /logout'];
export const calls = (seen: readonly { method: string; path: string }[]) =>
  seen.map(({ method, path }) => `${method} ${path}`);
