import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bypass, http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import { createRequestJournal } from '../../src/testing/index.js';

const page = 'https://app.example.com';
const server = setupServer();
const journal = createRequestJournal(server, { origin: page, credentialHeaders: ['X-Api-Key'] });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
// msw prints what these tests provoke.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => {
  vi.restoreAllMocks();
  server.resetHandlers();
  journal.clear();
});
afterAll(() => {
  journal.dispose();
  server.close();
});

const ok = () => new HttpResponse(null, { status: 204 });
const answerAll = (answer: () => Response | Promise<Response> = ok) => server.use(http.all('*', answer));
const raw = () => journal.lines({ redact: false });

test('prints a path for the page, an address for others, and always the credentials mode', async () => {
  answerAll();
  await fetch(`${page}/article/1?page=2#top`);
  await fetch('https://api.example.com/article/1', { credentials: 'omit' });
  await fetch('https://api.example.com/', { credentials: 'include' });
  expect(journal.lines()).toEqual([
    'GET /article/1?page=2  same-origin',
    'GET https://api.example.com/article/1  omit',
    'GET https://api.example.com/  include',
  ]);
});

test('prints credential headers alone, in alphabetical order, and others on request', async () => {
  answerAll();
  await fetch(`${page}/a`, {
    headers: {
      'X-CSRFToken': 'c1',
      'X-Api-Key': 'k1',
      Authorization: 'Bearer a1',
      'Access-Token': 't1',
      'X-Trace': 'z',
    },
  });
  expect(raw()).toEqual([
    'GET /a  same-origin  access-token: t1  authorization: Bearer a1  x-api-key: k1  x-csrftoken: c1',
  ]);
  expect(journal.lines({ redact: false, headers: ['X-Trace'] })[0]).toMatch(/ {2}x-trace: z$/);
});

test('an empty header and one with wide spaces stay one field, and hide no secret badly', async () => {
  answerAll();
  await fetch(`${page}/a`, {
    method: 'POST',
    headers: { 'X-CSRFToken': '', 'Access-Token': 'abc  defgh', Authorization: 'Bearer xyzxyz' },
    body: '{"password":"lovelace"}',
  });
  await journal.bodiesRead();
  expect(raw()).toEqual([
    'POST /a  same-origin  access-token: abc defgh  authorization: Bearer xyzxyz  x-csrftoken: ‹empty›  {"password":"lovelace"}',
  ]);
  expect(journal.lines()[0]).not.toMatch(/abc|defgh|xyzxyz|lovelace/);
});

test('prints each kind of body last, and nothing for none', async () => {
  answerAll();
  const form = new FormData();
  form.set('title', 'Hello');
  form.set('file', new File(['abc'], 'notes.txt'));
  const bodies: RequestInit['body'][] = [
    JSON.stringify({ title: 'Hello', tags: [1] }),
    new URLSearchParams({ a: '1', b: 'x y' }),
    form,
    new Blob(['abc'], { type: 'image/png' }),
    'two\nlines',
    '{\n  "a": 1\n}',
    undefined,
    '',
  ];
  for (const body of bodies) await fetch(`${page}/a`, { method: 'POST', body: body ?? null });
  await journal.bodiesRead();
  expect(raw().map(line => line.split('  ').slice(2).join('  '))).toEqual([
    '{"title":"Hello","tags":[1]}',
    'a=1&b=x+y',
    'form-data{title=Hello, file=‹notes.txt 3 bytes›}',
    '‹image/png 3 bytes›',
    'two\\nlines',
    '{"a":1}',
    '',
    '',
  ]);
});

test('reads a body that the handler reads too, and says so while it has not', async () => {
  let seen: unknown;
  let whileReading: string[] = [];
  server.use(http.post('*', async ({ request }) => ((seen = await request.json()), ok())));
  const stop = journal.subscribe(() => (whileReading = whileReading.length ? whileReading : journal.lines()));
  await fetch(`${page}/a`, { method: 'POST', body: '{"a":1}' });
  stop();
  expect(seen).toEqual({ a: 1 });
  expect(whileReading).toEqual(['POST /a  same-origin  ‹unread body›']);
  expect(raw()).toEqual(['POST /a  same-origin  {"a":1}']);
});

test.each(['GET', 'POST'])('a %s that a handler sends on with `bypass()` is one request', async method => {
  const target = createServer((_request, response) => response.writeHead(201).end());
  await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void target.close());
  const address = `http://127.0.0.1:${(target.address() as AddressInfo).port}/a`;
  server.use(http.all('*', async ({ request }) => fetch(bypass(request))));
  const body = method === 'POST' ? { body: '{"a":1}' } : {};
  const { status } = await fetch(address, { method, headers: { accept: 'application/json' }, ...body });
  await journal.settled();
  expect(status).toBe(201);
  expect(journal.lines()).toEqual([`${method} ${address}  same-origin${method === 'POST' ? '  {"a":1}' : ''}`]);
  expect(journal.entries.map(entry => entry.status)).toEqual([201]);
});

test('keeps entries with attempt, status, times, and headers that lines do not show', async () => {
  let status = 401;
  answerAll(() => new HttpResponse(null, { status }));
  await fetch(`${page}/a`, { headers: { 'X-Trace': 'z' } });
  await journal.settled();
  status = 200;
  await fetch(`${page}/a`);
  await fetch(`${page}/b`);
  await journal.settled();
  expect(journal.entries.map(({ attempt, status, unhandled }) => ({ attempt, status, unhandled }))).toEqual([
    { attempt: 1, status: 401, unhandled: false },
    { attempt: 2, status: 200, unhandled: false },
    { attempt: 1, status: 200, unhandled: false },
  ]);
  const [first] = journal.entries;
  expect(first).toMatchObject({
    method: 'GET',
    url: `${page}/a`,
    origin: page,
    credentials: 'same-origin',
    body: undefined,
  });
  expect(first?.headers['x-trace']).toBe('z');
  expect(first?.endedAt).toBeGreaterThanOrEqual(first?.startedAt ?? Infinity);
});

test('is settled when the last answer arrived, a network error included', async () => {
  const answers = createGate();
  const release = answers.hold();
  server.use(
    http.get('*/slow', () => answers.pass().then(ok)),
    http.get('*/lost', () => HttpResponse.error()),
  );
  const slow = fetch(`${page}/slow`);
  await expect(fetch(`${page}/lost`)).rejects.toThrow();
  let settled = false;
  const wait = journal.settled().then(() => (settled = true));
  await new Promise(resolve => setTimeout(resolve, 80));
  expect(settled).toBe(false);
  release();
  await slow;
  await wait;
  expect(journal.entries.map(entry => entry.status)).toEqual([204, undefined]);
  expect(journal.entries.every(entry => entry.endedAt !== undefined)).toBe(true);
});

test('is settled after a handler that threw', async () => {
  answerAll(() => {
    throw new Error('a mistake in a handler');
  });
  await fetch(`${page}/a`).catch(() => undefined);
  await journal.settled();
  expect(journal.entries[0]?.endedAt).toBeDefined();
});

test('names the requests that nothing handled, without their token', async () => {
  server.use(http.get('*/known', ok));
  await fetch(`${page}/known`);
  await expect(fetch(`${page}/unknown`, { headers: { 'Access-Token': 'secret-1' } })).rejects.toThrow();
  expect(journal.unhandled).toHaveLength(1);
  expect(journal.unhandled[0]).toMatch(/^GET \/unknown {2}same-origin {2}access-token: ‹\w{4}›$/);
});

test('forgets everything on clear, and the answers that come later', async () => {
  const answers = createGate();
  const release = answers.hold();
  answerAll(() => answers.pass().then(ok));
  const request = fetch(`${page}/a`);
  await new Promise<void>(resolve => journal.subscribe(() => resolve()));
  const settled = journal.settled();
  journal.clear();
  const cleared = journal.entries;
  await settled;
  release();
  await request;
  await new Promise(resolve => setTimeout(resolve, 0));
  expect(cleared).toEqual([]);
  expect(journal.entries).toBe(cleared);
});

test('gives the same entries until something changes, and tells when', async () => {
  answerAll();
  const before = journal.entries;
  expect(journal.entries).toBe(before);
  let changes = 0;
  const stop = journal.subscribe(() => changes++);
  await fetch(`${page}/a`);
  await journal.settled();
  stop();
  const told = changes;
  expect(told).toBeGreaterThanOrEqual(2);
  expect(journal.entries).not.toBe(before);
  await fetch(`${page}/a`);
  expect(changes).toBe(told);
});

test('listens no more after dispose', async () => {
  const other = createRequestJournal(server);
  answerAll();
  await fetch(`${page}/a`);
  expect(other.entries).toHaveLength(1);
  other.dispose();
  await fetch(`${page}/a`);
  expect(other.entries).toEqual([]);
});

test('leaves out what ignore names', async () => {
  const other = createRequestJournal(server, { ignore: request => request.url.endsWith('.json') });
  answerAll();
  await fetch(`${page}/index.json`);
  await fetch(`${page}/a`);
  expect(other.lines()).toEqual([`GET ${page}/a  same-origin`]);
  other.dispose();
});

test('is serialized as lines without secrets', async () => {
  answerAll();
  await fetch(`${page}/a`, { headers: { 'Access-Token': 'secret-1' } });
  expect(JSON.stringify(journal)).not.toContain('secret-1');
});
