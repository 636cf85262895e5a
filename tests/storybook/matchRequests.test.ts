import { expect, test } from 'vitest';
import type { ObservedRequest } from '../../src/session/observeRequests.js';
import { matchRequests } from '../../src/storybook/reportRequests.js';
import type { JournalEntry } from '../../src/testing/index.js';

const page = 'https://app.example.com/iframe.html';
const request = (url: string, more: Partial<ObservedRequest> = {}): ObservedRequest => ({
  method: 'GET',
  url,
  attempt: 1,
  cause: 'first send',
  session: undefined,
  signal: undefined,
  ...more,
});
const entry = (url: string, method = 'GET') => ({ method, url }) as JournalEntry;

test('matches by method and address, in order, each once', () => {
  const { add, match } = matchRequests(page);
  const [first, replay, write] = [
    request('/a'),
    request('/a', { attempt: 2, cause: 'replay' }),
    request('/a', { method: 'POST' }),
  ];
  [first, replay, write].forEach(add);
  expect(match(entry('https://app.example.com/b'))).toBeUndefined();
  expect(match(entry('https://app.example.com/a', 'POST'))).toBe(write);
  expect(match(entry('https://app.example.com/a'))).toBe(first);
  expect(match(entry('https://app.example.com/a'))).toBe(replay);
  expect(match(entry('https://app.example.com/a'))).toBeUndefined();
});

test('one that was called off before it left leaves its place to the next', () => {
  const { add, match } = matchRequests(page);
  const [calledOff, sent] = [request('/a', { signal: AbortSignal.abort() }), request('/a')];
  [calledOff, sent].forEach(add);
  expect(match(entry('https://app.example.com/a'))).toBe(sent);
  expect(match(entry('https://app.example.com/a'))).toBe(calledOff);
});

test('an address that is none matches nothing', () => {
  const { add, match } = matchRequests(undefined);
  add(request('/a'));
  expect(match(entry('https://app.example.com/a'))).toBeUndefined();
});
