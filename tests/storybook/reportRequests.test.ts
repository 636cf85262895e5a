import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { notifyLive } from '../../src/live/observeLive.js';
import { countRequests, type PanelNews, type PanelRow } from '../../src/storybook/PanelNews.js';
import { createPanelStore } from '../../src/storybook/createPanelStore.js';
import { reportRequests } from '../../src/storybook/reportRequests.js';
import { createRequestJournal, type JournalSource } from '../../src/testing/index.js';
import { api, setup } from './setup.js';

const msw = setupServer();
beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }));
afterEach(() => msw.resetHandlers());
afterAll(() => msw.close());

/** A reporter whose animation frames come when the test says so. */
function report(worker: JournalSource = msw) {
  const journal = createRequestJournal(worker);
  const posted: PanelNews[] = [];
  const frames: (() => void)[] = [];
  const stop = reportRequests({
    journal,
    run: 'run',
    storyId: 'story',
    emit: news => void posted.push(news),
    nextFrame: frame => void frames.push(frame),
  });
  onTestFinished(() => {
    stop();
    journal.dispose();
  });
  return { journal, posted, frames, stop, paint: () => frames.splice(0).forEach(frame => frame()) };
}

/** What the panel shows after all that was posted to it. */
function shown(posted: readonly PanelNews[]): readonly PanelRow[] {
  const store = createPanelStore();
  for (const news of posted) store.receive(news);
  return store.getState().rows;
}

const line = ({ method, address, outcome, details }: PanelRow) =>
  `${method} ${address} ${outcome} ${details ? `${details.cause} ${details.attempt}` : 'not the kit'}`;

test('each request is a row with its outcome, its cause, its attempt, and the credential', async () => {
  const { server, session, getArticle } = setup(msw);
  const { journal, posted, paint } = report();
  await getArticle({ id: '1' });
  server.expire();
  await getArticle({ id: '1' });
  await fetch(`${api}/public`);
  await journal.settled();
  paint();
  const rows = shown(posted);
  expect(rows.map(line)).toEqual([
    'GET https://api.example.com/article/1 200 first send 1',
    'GET https://api.example.com/article/1 401 first send 1',
    'POST https://api.example.com/refresh 200 refresh 1',
    'GET https://api.example.com/article/1 200 replay 2',
    'GET https://api.example.com/public 200 not the kit',
  ]);
  const [first, stale, refresh, replay] = rows.map(({ credentials }) => credentials.join());
  expect([first, stale, refresh, replay]).toEqual([
    'access-token: ada-1',
    'access-token: ada-1',
    '',
    'access-token: ada-2',
  ]);
  expect(posted.at(-1)?.sessions.map(({ status }) => status)).toEqual(['authenticated']);
  session.dispose();
});

test('a token in an address is hidden, also in a request that was posted before the token was known', async () => {
  msw.use(http.get(`${api}/*`, () => new HttpResponse()));
  const { journal, posted, paint } = report();
  await fetch(`${api}/article/1`, { headers: { 'access-token': 'S3CR3T' } });
  await fetch(`${api}/download/S3CR3T?access_token=S3CR3T`);
  await journal.settled();
  paint();
  expect(shown(posted).at(-1)?.address).toMatch(/^https:\/\/api\.example\.com\/download\/‹\w+›\?access_token=‹\w+›$/);
  expect(shown(posted)[0]?.credentials.join()).toMatch(/^access-token: ‹\w{4}›$/);
  expect(JSON.stringify(posted)).not.toContain('S3CR3T');
});

test('requests of one frame are posted together, and a frame in which nothing happened tells nothing', async () => {
  const { getArticle } = setup(msw);
  const { journal, posted, frames, paint } = report();
  paint();
  await Promise.all(['1', '2', '3'].map(id => getArticle({ id })));
  await journal.settled();
  expect(frames).toHaveLength(1);
  paint();
  expect(posted.map(({ rows }) => rows.length)).toEqual([0, 3]);
  paint();
  expect(posted).toHaveLength(2);
});

test('a request is posted twice: as it leaves, and with its answer', async () => {
  let answer = () => {};
  msw.use(
    http.get(`${api}/slow`, () => new Promise<Response>(resolve => (answer = () => resolve(new HttpResponse())))),
  );
  const { journal, posted, paint } = report();
  const slow = fetch(`${api}/slow`);
  await journal.bodiesRead();
  await expect.poll(() => journal.entries.length).toBe(1);
  paint();
  expect(shown(posted).map(({ outcome }) => outcome)).toEqual(['pending']);
  answer();
  await slow;
  await journal.settled();
  paint();
  expect(shown(posted).map(({ outcome }) => outcome)).toEqual([200]);
});

test('a play that clears the journal takes nothing away that was shown', async () => {
  msw.use(
    http.get(`${api}/slow`, () => new Promise<Response>(() => {})),
    http.get(`${api}/quick`, () => new HttpResponse()),
  );
  const { journal, posted, paint } = report();
  const calledOff = new AbortController();
  const slow = fetch(`${api}/slow`, { signal: calledOff.signal }).catch(() => {});
  await fetch(`${api}/quick`);
  paint();
  journal.clear();
  await fetch(`${api}/quick`);
  await journal.settled();
  paint();
  expect(shown(posted).map(line)).toEqual([
    'GET https://api.example.com/slow forgotten not the kit',
    'GET https://api.example.com/quick 200 not the kit',
    'GET https://api.example.com/quick 200 not the kit',
  ]);
  calledOff.abort();
  await slow;
});

test('a worker that has not been started is told, once the kit has sent a request', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const check = () => vi.advanceTimersByTime(200);
  const { getArticle } = setup(msw);
  const { posted, paint } = report(setupServer());
  check();
  paint();
  expect(posted.map(({ source }) => source)).toEqual(['journal']);
  await getArticle({ id: '1' });
  check();
  paint();
  expect(posted.at(-1)).toMatchObject({ source: 'journal', rows: [] });
  check();
  paint();
  expect(posted.at(-1)).toMatchObject({ source: 'not-started', rows: [] });
});

test('a request that msw reports late shows that the worker has been started', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { getArticle } = setup(msw);
  let start!: (seen: { requestId: string; request: Request }) => void;
  const on = (type: string, listener: typeof start) => type === 'request:start' && (start = listener);
  const late = { events: { on, removeListener: () => {} } } as unknown as JournalSource;
  const { posted, paint } = report(late);
  await getArticle({ id: '1' });
  vi.advanceTimersByTime(400);
  paint();
  expect(posted.at(-1)?.source).toBe('not-started');
  start({ requestId: '1', request: new Request(`${api}/article/1`) });
  paint();
  expect(posted.at(-1)).toMatchObject({ source: 'journal', rows: [{ method: 'GET' }] });
});

test('after its end it tells nothing more', async () => {
  const { getArticle } = setup(msw);
  const { journal, posted, stop, paint } = report();
  await getArticle({ id: '1' });
  stop();
  await getArticle({ id: '2' });
  await journal.settled();
  paint();
  expect(posted).toEqual([]);
});

test('a thousand requests are a thousand rows, each with its cause', async () => {
  const { getArticle } = setup(msw);
  const { journal, posted, paint } = report();
  const ids = Array.from({ length: 1000 }, (_, index) => String(index));
  await Promise.all(ids.map(id => getArticle({ id })));
  await journal.settled();
  paint();
  const rows = shown(posted);
  expect(rows).toHaveLength(1000);
  expect(rows.filter(({ details: kit, outcome }) => kit?.cause === 'first send' && outcome === 200)).toHaveLength(1000);
}, 30_000);

test('what a live connection did is a row and a line, without a ticket of its address', () => {
  const { journal, posted, paint } = report();
  notifyLive('wss://api.example.com/live?ticket=secret', { subject: 'ada', event: 'open' });
  notifyLive('https://api.example.com/events?ticket=secret', { subject: undefined, event: 'close 4401' });
  paint();
  const rows = shown(posted);
  const lines = ['WS wss://api.example.com/live  ada  open', 'SSE https://api.example.com/events  no id  close 4401'];
  expect(journal.lines()).toEqual(lines);
  expect(rows.map(({ method, address, live, outcome }) => `${method} ${address}  ${live}  ${outcome}`)).toEqual(lines);
  expect(countRequests(rows)).toBe('No requests, 2 live events');
  expect(JSON.stringify([posted, journal.entries])).not.toContain('secret');
});
