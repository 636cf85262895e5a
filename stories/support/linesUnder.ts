import { requestLines, type RequestLine } from '../../src/testing/index.js';
import { csrf, ownApi } from './setupCookieApp.js';

export type Mechanism = 'token' | 'cookie' | 'context';

/** Adds a person's credential to a line. `token` is 1 for the first one that the server issues. */
type WithCredential = (line: RequestLine, person: string, token?: number) => RequestLine;

const sent = requestLines({ prefix: ownApi });
const asGrace = sent.post('/login').json({ username: 'grace', password: 'hopper' });
const byToken: WithCredential = (line, person, token) => line.as(person, token);

interface MechanismLines {
  read: WithCredential;
  write: WithCredential;
  /** A page loads, and the session finds the user who is signed in. */
  restores: RequestLine[];
  /** Ada's credential is refreshed for the first time. */
  refreshes: RequestLine[];
  /** Grace signs in after Ada. */
  graceSignsIn: RequestLine[];
}

/** The requests in which the mechanisms differ. An SDK signs in and refreshes by requests that the journal does not see. */
export const linesUnder: Record<Mechanism, MechanismLines> = {
  token: {
    read: byToken,
    write: byToken,
    restores: [],
    refreshes: [sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' })],
    graceSignsIn: [asGrace],
  },
  cookie: {
    // A line has no cookie.
    read: line => line,
    write: (line, _person, token = 1) => line.headers(csrf(token)),
    restores: [sent.get('/whoami')],
    refreshes: [sent.get('/csrf')],
    graceSignsIn: [asGrace.headers(csrf(1))],
  },
  context: { read: byToken, write: byToken, restores: [], refreshes: [], graceSignsIn: [] },
};
