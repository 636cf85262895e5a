import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WidgetStatus } from '../../src/widgets/shared/WidgetStatus.js';

/** A list's region, which is in the document from now on, and its texts. */
function setupRegion() {
  const texts: string[] = [];
  const region = {
    style: {},
    get textContent() {
      return texts.at(-1) ?? '';
    },
    set textContent(text: string) {
      texts.push(text);
    },
  };
  const status = new WidgetStatus();
  status.attach(region as HTMLElement);
  texts.length = 0;
  return { status, texts, region: region as HTMLElement };
}

const NO_ROWS = 'Nothing here yet.';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a list that is empty at its first render says so later: the region is there, empty, before its text', () => {
  const { status, texts } = setupRegion();
  status.announceContent('list', () => NO_ROWS, { isEmpty: true });
  expect(texts).toEqual([]);
  vi.runOnlyPendingTimers();
  expect(texts).toEqual([NO_ROWS]);
});

test('the first rows are not announced, unless the list has said that it loads', () => {
  const { status, texts } = setupRegion();
  status.announceContent('list', () => '2 loaded.', { isEmpty: false });
  vi.runAllTimers();
  expect(texts).toEqual([]);
  status.announceProgress('Updating…');
  vi.runOnlyPendingTimers();
  status.announceContent('list', () => '2 loaded.', { isEmpty: false });
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
  status.announceContent('other', () => NO_ROWS, { isEmpty: true });
  vi.advanceTimersToNextTimer();
  expect(texts.slice(2)).toEqual([NO_ROWS]);
});

test('a change and other rows at once are one text', () => {
  const { status, texts } = setupRegion();
  status.announceContent('page 2', () => '3 of 3', { isEmpty: false });
  status.announceChange('Deleted.');
  status.announceContent('page 1', () => '1–2 of 2', { isEmpty: false });
  vi.advanceTimersToNextTimer();
  expect(texts).toEqual(['Deleted. 1–2 of 2']);
});

test('the same rows with another text are not announced, and the same change again is', () => {
  const { status, texts } = setupRegion();
  status.announceContent('list', () => '3 loaded.', { isEmpty: false });
  status.announceChange('Deleted.');
  vi.advanceTimersToNextTimer();
  status.announceContent('list', () => '2 loaded.', { isEmpty: false });
  status.announceChange('Deleted.');
  vi.advanceTimersToNextTimer();
  expect(texts.map(text => text.trim())).toEqual(['Deleted.', 'Deleted.']);
  expect(texts[1]).not.toBe(texts[0]);
});

test('two changes at once are both announced, and an empty text erases none', () => {
  const { status, texts } = setupRegion();
  status.announceChange('“A” is deleted.');
  status.announceChange('“B” is deleted.');
  vi.advanceTimersToNextTimer();
  status.announceProgress('');
  vi.advanceTimersByTime(200);
  expect(texts).toEqual(['“A” is deleted. “B” is deleted.']);
});

test('a list that is mounted again and counts its pages from the start announces the next page, and not the same rows', () => {
  const { status, texts } = setupRegion();
  status.announceContent('list', () => '2 loaded.', { isEmpty: false });
  status.announceContent('list', () => '4 loaded.', { isEmpty: false, arrivals: 1 });
  vi.runAllTimers();
  status.announceContent('list', () => '4 loaded.', { isEmpty: false, arrivals: 0 });
  vi.runAllTimers();
  status.announceContent('list', () => '6 loaded.', { isEmpty: false, arrivals: 1 });
  vi.runAllTimers();
  expect(texts).toEqual(['4 loaded.', '', '6 loaded.', '']);
});

test('a region that was away for a while comes back without a text', () => {
  const { status, texts, region } = setupRegion();
  status.announceChange('Deleted.');
  vi.advanceTimersToNextTimer();
  status.attach(null);
  vi.runAllTimers();
  expect(texts).toEqual(['Deleted.']);
  status.attach(region);
  expect(region.textContent).toBe('');
});
