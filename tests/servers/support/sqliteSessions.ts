import session from 'express-session';
import { randomBytes } from 'node:crypto';
import type { Database } from './openDatabase.js';
import { SqliteSessionStore } from './SqliteSessionStore.js';

declare module 'express-session' {
  interface SessionData {
    /** Who has signed in. */
    person: string;
    /** Whose password was right, where a code is still missing. */
    withoutCode: string;
    /** Has typed the password once more. */
    isSteppedUp: true;
    /** Asked for a CSRF token before signing in, and so is kept. */
    visited: true;
  }
}

interface SessionRow {
  id: string;
  owner: string | null;
}

/** `express-session` over SQLite, and what a test may ask of the sessions and do to them. */
export function sqliteSessions(database: Database) {
  return {
    middleware: session({
      name: 'sid',
      secret: randomBytes(32).toString('hex'),
      store: new SqliteSessionStore(database),
      resave: false,
      saveUninitialized: false,
      cookie: { httpOnly: true, sameSite: 'lax' },
    }),
    /** The sessions that are good now: their ids, and whose they are. */
    current: () => database.all('SELECT id, owner FROM session WHERE ends_at > ?', Date.now()) as SessionRow[],
    /** The ids of all sessions. */
    ids: () => (database.all('SELECT id FROM session') as SessionRow[]).map(({ id }) => id),
    /** The sessions of a person have come to their end. */
    age: (person: string) => void database.run('UPDATE session SET ends_at = 0 WHERE owner = ?', person),
    /** The person has signed out everywhere, from elsewhere. */
    signOutElsewhere: (person: string) => void database.run('DELETE FROM session WHERE owner = ?', person),
  };
}
