import type { Clock } from '../clock.js';
import { warnOnce } from '../warnOnce.js';

/** A cookie that is refused later than this after its login may have expired. */
const FRESH_MS = 10_000;

const NOT_KEPT =
  "the server refused (401) the cookie of a new sign-in at once. Check that the browser keeps the cookie: its SameSite, Secure, Domain and Path, and `credentials: 'include'` when the API is on another origin.";

/** Warns if the first response after a login that named its user is a 401: no `whoami` has shown that the browser has the cookie. Use it in development only. */
export function createFreshCookieCheck(clock: Clock): {
  onLogin: () => void;
  onResponse: (response: Response) => void;
} {
  let freshUntil = 0;
  return {
    onLogin: () => void (freshUntil = clock.now() + FRESH_MS),
    onResponse({ status }) {
      if (status === 401 && clock.now() < freshUntil) warnOnce(NOT_KEPT);
      freshUntil = 0;
    },
  };
}
