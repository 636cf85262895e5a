import { describe, expect, test } from 'vitest';
import { addSession, mustFind, type SessionToEnd } from '../../src/session/authCalls/pendingLogout.js';

const signedIn = (subject: string) => ({ credential: subject, user: undefined, subject });
const ada = { signedIn: signedIn('ada') };
const grace = { signedIn: signedIn('grace') };
const search = { signedIn: undefined, find: async () => undefined };
const unknown = { signedIn: undefined };

type Session = SessionToEnd<string, undefined>;

test('a session must be found until `find` has found it', () => {
  expect([search, { ...search, ...ada }, ada, unknown].map(session => mustFind(session))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

describe('what a logout must end, with what earlier ones have left', () => {
  const otherSearch = { ...search, find: async () => undefined };
  test.each<[string, Session[], Session, Session[]]>([
    ['the first', [], ada, [ada]],
    ['the first, not known', [], unknown, [unknown]],
    ['that of a later login', [ada], grace, [ada, grace]],
    ['no more, if nothing is known', [ada], unknown, [ada]],
    ['that of an earlier user, and a search', [ada], search, [ada, search]],
    ['a new search in place of the earlier one', [search], otherSearch, [otherSearch]],
    ['a login, beside a search', [search], ada, [search, ada]],
  ])('tokens: %s', (_name, left, session, expected) => {
    expect(addSession(left, session, false)).toEqual(expected);
  });

  test.each<[string, Session[], Session, Session[]]>([
    ['the first', [], ada, [ada]],
    ['that of the last user, because the browser has one cookie', [ada], grace, [grace]],
    ['no more, if nothing is known', [ada], unknown, [ada]],
  ])('cookies: %s', (_name, left, session, expected) => {
    expect(addSession(left, session, true)).toEqual(expected);
  });
});
