// @vitest-environment jsdom
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createRequestJournal, isPageAsset } from '../../src/testing/index.js';

const msw = setupServer(http.all('*', () => new HttpResponse()));
const journal = createRequestJournal(msw);
beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }));
afterEach(() => journal.clear());
afterAll(() => msw.close());

test.each([
  '/articles.json',
  '/assets/12',
  '/article?import=true',
  '/api/avatar/ada.png',
  '/index.json',
  '/src/a.ts',
  '/@me',
  '/node_modules/a.js',
])('a fetch of %s is recorded', async path => {
  await fetch(new URL(path, location.href));
  expect(journal.lines()).toEqual([`GET ${path}  same-origin`]);
});

const page = 'https://app.example.com/kit/iframe.html?id=x';
const loaded = (path: string, destination: RequestDestination) =>
  isPageAsset(Object.defineProperty(new Request(new URL(path, page)), 'destination', { value: destination }), page);

test('what a page loads from its own origin is its own, and so are data, and the list of stories that a Storybook fetches', () => {
  expect(loaded('/api/avatar/ada.png', 'image')).toBe(true);
  expect(loaded('https://cdn.example.com/a.js', 'script')).toBe(false);
  expect(loaded('data:text/plain,x', '')).toBe(true);
  expect(loaded('blob:https://app.example.com/1', '')).toBe(true);
  expect(loaded('/kit/index.json', '')).toBe(true);
  expect(loaded('/index.json', '')).toBe(false);
});
