import { expect, test } from 'vitest';
import { countRequests, type PanelNews, type PanelRow } from '../../src/storybook/PanelNews.js';
import { createPanelStore, MAX_ROWS } from '../../src/storybook/createPanelStore.js';

const row = (id: number, more: Partial<PanelRow> = {}): PanelRow => ({
  id,
  method: 'GET',
  address: `/${id}`,
  outcome: 200,
  unhandled: false,
  sentAt: 0,
  took: 1,
  credentials: [],
  details: { attempt: 1, cause: 'first send', sessionId: undefined },
  ...more,
});
const news = (rows: PanelRow[], more: Partial<PanelNews> = {}): PanelNews => ({
  run: '1',
  storyId: 'a',
  source: 'journal',
  rows,
  sessions: [],
  ...more,
});
const ids = (store: ReturnType<typeof createPanelStore>) => store.getState().rows.map(({ id }) => id);

test('a row that is posted again takes its own place', () => {
  const store = createPanelStore();
  store.receive(news([row(0, { outcome: 'pending' }), row(1)]));
  store.receive(news([row(0), row(2)]));
  expect(ids(store)).toEqual([0, 1, 2]);
  expect(store.getState().rows[0]?.outcome).toBe(200);
});

test('another run, and another story, begin with nothing', () => {
  const store = createPanelStore();
  store.receive(news([row(0), row(1)]));
  store.receive(news([row(0)], { run: '2' }));
  expect(ids(store)).toEqual([0]);
  store.show('a');
  expect(ids(store)).toEqual([0]);
  store.show('b');
  expect(store.getState()).toMatchObject({ storyId: 'b', rows: [], sessions: [] });
});

test('what was cleared stays away, also when its answer comes', () => {
  const store = createPanelStore();
  store.receive(news([row(0, { outcome: 'pending' })]));
  store.clear();
  store.receive(news([row(0), row(1)]));
  expect(ids(store)).toEqual([1]);
});

test('keeps the newest rows, and tells how many it let go of', () => {
  const store = createPanelStore();
  store.receive(news(Array.from({ length: MAX_ROWS + 5 }, (_, id) => row(id))));
  expect(store.getState()).toMatchObject({ dropped: 5 });
  expect(ids(store)[0]).toBe(5);
  store.receive(news([row(0)]));
  expect(ids(store)[0]).toBe(5);
});

test('the sum names what is special, in singular and plural', () => {
  const cause = (name: 'replay' | 'refresh') => ({ details: { attempt: 1, cause: name, sessionId: 1 } });
  expect(countRequests([])).toBe('No requests');
  expect(countRequests([row(0)])).toBe('1 request');
  const rows = [
    row(0, { outcome: 401 }),
    row(1, cause('refresh')),
    row(2, cause('replay')),
    row(3, cause('replay')),
    row(4, { outcome: 'pending' }),
    row(5, { outcome: 'no answer' }),
  ];
  expect(countRequests(rows)).toBe('6 requests, 2 replays, 1 refresh, 2 failed, 1 pending');
});
