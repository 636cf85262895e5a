import type { Shelves } from './openDatabase.js';

/** Who may sign in, and with which password. */
const PASSWORDS: Readonly<Record<string, string>> = { ada: 'lovelace', grace: 'hopper' };

export const passwordOf = (person: string): string => PASSWORDS[person] as string;

/** The person whose name and password these are. */
export function personWith({ username, password }: { username?: unknown; password?: unknown }): string | undefined {
  return typeof username === 'string' && Object.hasOwn(PASSWORDS, username) && PASSWORDS[username] === password
    ? username
    : undefined;
}

/** Three pages of ten each. */
export const SHELVES: Shelves = { ada: 30, grace: 30 };
export const PAGE_SIZE = 10;
