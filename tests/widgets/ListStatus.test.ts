import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ListStatus } from '../../src/widgets/list/ListStatus.js';

/** A list's region, which is in the document from now on, and its texts. */
function setupRegion() {
  const texts: string[] = [];
  const region = {
    get textContent() {
      return texts.at(-1) ?? '';
    },
    set textContent(text: string) {
      texts.push(text);
    },
  };
  const status = new ListStatus();
  status.attach(region as HTMLElement);
  return { status, texts };
}

const NO_ROWS = 'Nothing here yet.';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a list that is empty at its first render says so later: the region is there, empty, before its text', () => {
  const { status, texts } = setupRegion();
  status.announceRows('list', NO_ROWS, true);
  expect(texts).toEqual([]);
  vi.runOnlyPendingTimers();
  expect(texts).toEqual([NO_ROWS]);
});

test('the first rows are not announced, unless the list has said that it loads', () => {
  const { status, texts } = setupRegion();
  status.announceRows('list', '2 loaded.', false);
  vi.runAllTimers();
  expect(texts).toEqual([]);
  status.announceProgress('Updating…');
  vi.runOnlyPendingTimers();
  status.announceRows('list', '2 loaded.', false);
  vi.advanceTimersToNextTimer();
  expect(texts).toEqual(['Updating…', '2 loaded.']);
});

test('loading is announced once, and not at all if the rows come at the same time', () => {
  const { status, texts } = setupRegion();
  status.announceProgress('Loading…');
  vi.advanceTimersToNextTimer();
  status.announceProgress('Loading…');
  vi.runAllTimers();
  expect(texts).toEqual(['Loading…', '']);
  status.announceProgress('Updating…');
  status.announceRows('other', NO_ROWS, true);
  vi.advanceTimersToNextTimer();
  expect(texts.slice(2)).toEqual([NO_ROWS]);
});

test('a change and other rows at once are one text', () => {
  const { status, texts } = setupRegion();
  status.announceRows('page 2', '3 of 3', false);
  status.announceChange('Deleted.');
  status.announceRows('page 1', '1–2 of 2', false);
  vi.advanceTimersToNextTimer();
  expect(texts).toEqual(['Deleted. 1–2 of 2']);
});

test('the same rows with another text are not announced, and the same change again is', () => {
  const { status, texts } = setupRegion();
  status.announceRows('list', '3 loaded.', false);
  status.announceChange('Deleted.');
  vi.advanceTimersToNextTimer();
  status.announceRows('list', '2 loaded.', false);
  status.announceChange('Deleted.');
  vi.advanceTimersToNextTimer();
  expect(texts.map(text => text.trim())).toEqual(['Deleted.', 'Deleted.']);
  expect(texts[1]).not.toBe(texts[0]);
});
