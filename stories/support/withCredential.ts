import type { RequestLine } from '../../src/testing/index.js';
import { csrf } from './setupCookieApp.js';
import type { Mechanism } from './setupWidgetApp.js';

/** Adds a person's credential to a line. `token` is 1 for the first one that the server issues. */
type WithCredential = (line: RequestLine, person: string, token?: number) => RequestLine;

const byToken: WithCredential = (line, person, token) => line.as(person, token);

/** The credential in the lines of reads and of writes, for each mechanism. */
export const withCredential: Record<Mechanism, { read: WithCredential; write: WithCredential }> = {
  token: { read: byToken, write: byToken },
  // A line has no cookie.
  cookie: { read: line => line, write: (line, _person, token = 1) => line.headers(csrf(token)) },
  context: { read: byToken, write: byToken },
};
