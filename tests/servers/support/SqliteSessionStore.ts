import { Store, type SessionData } from 'express-session';
import type { Database } from './openDatabase.js';

type Callback<T = void> = (error?: unknown, value?: T) => void;

/** How long a session lives after its last request, in milliseconds. */
const LIFETIME_MS = 60 * 60 * 1000;

/** The sessions of `express-session`, each a row of a SQLite file. */
export class SqliteSessionStore extends Store {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override get(id: string, callback: Callback<SessionData | null>): void {
    const found = this.#database.get('SELECT content FROM session WHERE id = ? AND ends_at > ?', id, Date.now());
    const row = found as { content: string } | undefined;
    callback(null, row ? (JSON.parse(row.content) as SessionData) : null);
  }

  override set(id: string, session: SessionData, callback?: Callback): void {
    const statement = 'INSERT OR REPLACE INTO session (id, owner, content, ends_at) VALUES (?, ?, ?, ?)';
    this.#database.run(statement, id, session.person ?? null, JSON.stringify(session), Date.now() + LIFETIME_MS);
    callback?.();
  }

  override destroy(id: string, callback?: Callback): void {
    this.#database.run('DELETE FROM session WHERE id = ?', id);
    callback?.();
  }

  override touch(id: string, _session: SessionData, callback?: () => void): void {
    this.#database.run('UPDATE session SET ends_at = ? WHERE id = ?', Date.now() + LIFETIME_MS, id);
    callback?.();
  }
}
