import type { Page } from 'playwright';
import { expect } from 'vitest';
import { eventually, press } from '../../browser/support/test.js';
import { forget, type Probe } from '../../browser/support/probe.js';
import { passwordOf } from './people.js';

/** Who the page says is signed in: `authenticated`, `anonymous expired`. */
export const says = (page: Page, who: string): Promise<void> =>
  eventually(() => page.locator('#who').textContent(), who);

/** The titles in the list of notes. */
const titles = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Notes' }).getByRole('listitem').allTextContents();

/** The first notes of a person, as they are titled. */
export const titled = (person: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${person}’s note ${index + 1}`);

/** Waits until these notes are listed, and no others. */
export const lists = (page: Page, expected: readonly string[]): Promise<void> =>
  eventually(() => titles(page), [...expected]);

/** Signs in by the kit's own form. */
export async function enter(page: Page, person: string): Promise<void> {
  await page.getByLabel('User name').fill(person);
  await page.getByLabel('Password').fill(passwordOf(person));
  await press(page, 'Sign in');
}

/** Signs in by the kit's own form, and waits until the first notes are there. */
export async function signIn(page: Page, person: string): Promise<void> {
  await enter(page, person);
  await lists(page, titled(person, 10));
}

/** Signs out by the page's button, and begins a new page of notes, for what the next person sees. */
export async function signOut(page: Page): Promise<void> {
  await press(page, 'Sign out');
  await says(page, 'anonymous signed-out');
  await forget(page);
}

/** Goes to the provider's own pages, which ask who it is. */
export async function goToProvider(page: Page): Promise<void> {
  await press(page, 'Sign in');
  await page.getByPlaceholder('Enter any login').waitFor();
}

/** Tells the provider who it is, and comes back. */
export async function comeBackAs(page: Page, person: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(person);
  await page.getByPlaceholder('and password').fill(passwordOf(person));
  await press(page, 'Sign-in');
  await press(page, 'Continue');
  await lists(page, titled(person, 10));
}

/** Signs in at the provider's own pages, and waits until the first notes are there. */
export async function signInAtProvider(page: Page, person: string): Promise<void> {
  await goToProvider(page);
  await comeBackAs(page, person);
}

/** Makes a note, and waits until it stands at the end of the list. */
export async function makeNote(page: Page, title: string): Promise<void> {
  await page.getByRole('form', { name: 'New note' }).getByLabel('Title').fill(title);
  await press(page, 'Create');
  await eventually(async () => (await titles(page)).at(-1), title);
}

/** Whether nothing that a page has shown was a person's, by the titles of `work`. */
export const showsNothingOf = (person: string, { shown }: Pick<Probe, 'shown'>): boolean =>
  !shown.some(({ text }) => text.includes(`${person}’s`) || /(Made|Changed) here/.test(text));

/** Three pages of notes, a new one, another title for the open one, and its end. */
export async function work(page: Page, person: string): Promise<void> {
  const all = titled(person, 30);
  const open = `${person}’s note 25`;
  await press(page, 'Load more');
  await lists(page, all.slice(0, 20));
  await press(page, 'Load more');
  await lists(page, all);
  await page.locator('.dca-note', { hasText: 'All 30 loaded.' }).waitFor();

  await makeNote(page, 'Made here');
  await lists(page, [...all, 'Made here']);

  await page.getByRole('heading', { name: open }).waitFor();
  await page.getByRole('form', { name: 'Change it' }).getByLabel('Title').fill('Changed here');
  await press(page, 'Save');
  await lists(page, [...all.map(title => (title === open ? 'Changed here' : title)), 'Made here']);

  await press(page, 'Delete it');
  await page.locator('.dca-removed', { hasText: 'Deleted.' }).waitFor();
  await lists(page, [...all.filter(title => title !== open), 'Made here']);
}

/** What the API has to log of `work`, after a sign-in to the app with this note open; requests of one moment are in one group. */
export function workLog(person: string, openNote: number, first: number): string[][] {
  return [
    [`GET /api/folder  ${person}  200`, `GET /api/note  ${person}  200`, `GET /api/note/${openNote}  ${person}  200`],
    [`GET /api/note?cursor=after-${first + 9}  ${person}  200`],
    [`GET /api/note?cursor=after-${first + 19}  ${person}  200`],
    [`POST /api/note  ${person}  201`],
    [`PATCH /api/note/${openNote}  ${person}  200`],
    [`DELETE /api/note/${openNote}  ${person}  204`],
  ];
}

/** What the API has to log when a user opens the app and the open note is another user's. */
export const secondUserLog = (person: string, openNote: number): string[][] => [
  [`GET /api/folder  ${person}  200`, `GET /api/note  ${person}  200`, `GET /api/note/${openNote}  ${person}  404`],
];

/** Holds a whole log against what was expected; lines that belong together may have come in any order. */
export function expectLog(lines: readonly string[], expected: readonly (readonly string[])[]): void {
  let seen = 0;
  const sorted = expected.flatMap(({ length }) => lines.slice(seen, (seen += length)).sort());
  expect([...sorted, ...lines.slice(seen)]).toEqual(expected.flatMap(together => [...together].sort()));
}
