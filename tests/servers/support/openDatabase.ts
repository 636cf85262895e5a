import { Database as SqliteFile, type JSValue } from 'node-sqlite3-wasm';

/** A note of somebody's. */
export interface Note {
  id: number;
  title: string;
  text: string;
}

/** How many notes each person has at first. */
export type Shelves = Readonly<Record<string, number>>;

/** A SQLite file in the few words that the servers need; SQLite as WebAssembly, which is installed without a compiler. */
export interface Database {
  get(statement: string, ...values: JSValue[]): unknown;
  all(statement: string, ...values: JSValue[]): unknown[];
  /** Tells the number of the row, if one was inserted. */
  run(statement: string, ...values: JSValue[]): number;
  close(): void;
}

/** Whose notes come first, so that the numbers of one person's notes have no gaps. */
function fill(file: SqliteFile, shelves: Shelves): void {
  const insert = file.prepare('INSERT INTO note (owner, title, text) VALUES (?, ?, ?)');
  for (const [owner, count] of Object.entries(shelves)) {
    for (let number = 1; number <= count; number++)
      insert.run([owner, `${owner}’s note ${number}`, `${owner} wrote this ${number}`]);
  }
  insert.finalize();
}

/** Opens a SQLite file with notes; a new file gets as many as the shelves say. */
export function openDatabase(name: string, shelves: Shelves): Database {
  const file = new SqliteFile(name);
  const isNew = file.get(`SELECT 1 FROM sqlite_master WHERE name = 'note'`) === null;
  if (isNew) {
    file.exec(`
      BEGIN;
      CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL);
      CREATE TABLE session (id TEXT PRIMARY KEY, owner TEXT, content TEXT NOT NULL, ends_at INTEGER NOT NULL);
    `);
    fill(file, shelves);
    file.exec('COMMIT');
  }
  return {
    get: (statement, ...values) => file.get(statement, values) ?? undefined,
    all: (statement, ...values) => file.all(statement, values),
    run: (statement, ...values) => Number(file.run(statement, values).lastInsertRowid),
    close: () => file.close(),
  };
}
