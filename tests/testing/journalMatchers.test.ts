import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  cookieAuthHandlers,
  createRequestJournal,
  journalMatchers,
  type JournalMatchers,
  type JournalSource,
  tokenAuthHandlers,
} from '../../src/testing/index.js';

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- the name and the parameter have to be Vitest's own
  interface Matchers<T> extends JournalMatchers<Promise<void>> {}
}
expect.extend(journalMatchers);

const page = 'https://app.example.com';
const server = setupServer(http.all('*', () => new HttpResponse(null, { status: 204 })));
const journal = createRequestJournal(server, { origin: page });

beforeAll(() => server.listen());
afterEach(() => journal.clear());
afterAll(() => {
  journal.dispose();
  server.close();
});

async function send(...paths: string[]) {
  for (const path of paths) await fetch(`${page}${path}`, { headers: { 'Access-Token': 'ada-1' } });
}
const line = (path: string, token = 'ada-1') => `GET ${path}  same-origin  access-token: ${token}`;

/** All that a report could print of a failure. */
async function failure(assertion: Promise<unknown>): Promise<Error & { all: string }> {
  const error = await assertion.then(
    () => Promise.reject(new Error('the assertion passed')),
    (reason: Error) => reason,
  );
  const all = [error.message, error.stack, JSON.stringify(error), ...Object.values(error).map(String)].join('\n');
  return Object.assign(error, { all });
}
const diff = (error: Error) => error.message.split('\n').slice(2);
const masked = (text: string) => text.replace(/‹\w{4}›/g, '‹xxxx›');

test('passes when the whole list is as expected, nothing sent included', async () => {
  await expect(journal).toHaveSent([]);
  await send('/a', '/b');
  await expect(journal).toHaveSent([line('/a'), line('/b')]);
});

test('waits for bodies', async () => {
  let start!: (seen: { requestId: string; request: Request }) => void;
  const events = { on: (type: string, listener: typeof start) => type === 'request:start' && (start = listener) };
  const slow = createRequestJournal({ events } as unknown as JournalSource, { origin: page });
  let finish!: () => void;
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"a":'));
      finish = () => (controller.enqueue(new TextEncoder().encode('1}')), controller.close());
    },
  });
  start({ requestId: '1', request: new Request(`${page}/a`, { method: 'POST', body, duplex: 'half' } as RequestInit) });
  const assertion = expect(slow).toHaveSent(['POST /a  same-origin  {"a":1}']);
  expect(slow.lines()).toEqual(['POST /a  same-origin  ‹unread body›']);
  finish();
  await assertion;
});

test('one request too many fails, and shifts nothing in the difference', async () => {
  await send('/a', '/x', '/b', '/c');
  const error = await failure(expect(journal).toHaveSent([line('/a'), line('/b'), line('/c')]));
  expect(error.message.split('\n')[0]).toBe(
    'Requests differ: 0 missing, 1 unexpected, 3 as expected (- expected but not sent, + sent but not expected):',
  );
  expect(diff(error).map(masked)).toEqual([
    '  GET /a  same-origin  access-token: ‹xxxx›',
    '+ GET /x  same-origin  access-token: ‹xxxx›',
    '  GET /b  same-origin  access-token: ‹xxxx›',
    '  GET /c  same-origin  access-token: ‹xxxx›',
  ]);
});

test('one request too few fails', async () => {
  await send('/a');
  const error = await failure(expect(journal).toHaveSent([line('/a'), line('/a')]));
  expect(diff(error).map(text => text.slice(0, 8))).toEqual(['  GET /a', '- GET /a']);
});

test('another order fails, unless any order will do', async () => {
  await send('/a', '/b');
  const error = await failure(expect(journal).toHaveSent([line('/b'), line('/a')]));
  expect(diff(error).map(text => text.slice(0, 8))).toEqual(['- GET /b', '  GET /a', '+ GET /b']);
  await expect(journal).toHaveSent([line('/b'), line('/a')], { anyOrder: true });
});

test('any order still counts', async () => {
  await send('/a', '/b');
  await failure(expect(journal).toHaveSent([line('/a'), line('/a'), line('/b')], { anyOrder: true }));
  journal.clear();
  await send('/a', '/b', '/a');
  await failure(expect(journal).toHaveSent([line('/a'), line('/b')], { anyOrder: true }));
  await failure(expect(journal).toHaveSent([line('/a'), line('/b'), line('/b')], { anyOrder: true }));
  const error = await failure(expect(journal).toHaveSent([line('/b'), line('/a'), line('/c')], { anyOrder: true }));
  expect(error.message).toContain('1 missing, 1 unexpected, 2 as expected, in any order');
});

test('another token fails, and looks different without being shown', async () => {
  await send('/a');
  const error = await failure(expect(journal).toHaveSent([line('/a', 'grace-1')]));
  expect(error.all).not.toMatch(/ada-1|grace-1/);
  const [missing, extra] = diff(error);
  expect(masked(missing ?? '')).toBe('- GET /a  same-origin  access-token: ‹xxxx›');
  expect(masked(extra ?? '')).toBe('+ GET /a  same-origin  access-token: ‹xxxx›');
  expect(missing?.slice(2)).not.toBe(extra?.slice(2));
});

test('a token that a mock server has issued can be read wherever it stands, unlike another token and a password', async () => {
  const options = { url: page, people: [{ id: 'lin', name: 'Lin', password: 'lovelace' }] };
  const tokens = tokenAuthHandlers(options);
  const cookies = cookieAuthHandlers({ ...options, csrf: {} });
  const { accessToken, refreshToken } = tokens.signIn('lin');
  const csrf = cookies.signIn('lin').csrftoken ?? '';
  const jwt = tokenAuthHandlers({ ...options, jwt: true }).signIn('lin').accessToken;
  const access = { authorization: `Bearer ${accessToken}` };
  await fetch(`${page}/a?token=${accessToken}`, { headers: { ...access, 'x-csrftoken': csrf } });
  const body = { refreshToken, password: 'lovelace' };
  await fetch(`${page}/refresh`, { method: 'POST', body: JSON.stringify(body) });
  await fetch(`${page}/b`, { headers: { 'access-token': 'lin-2' } });
  await fetch(`${page}/c`, { headers: { 'access-token': jwt } });
  const readable = [
    'GET /a?token=lin-1  same-origin  authorization: Bearer lin-1  x-csrftoken: csrf-1',
    'POST /refresh  same-origin  {"refreshToken":"lin-refresh-1","password":"‹xxxx›"}',
    'GET /b  same-origin  access-token: ‹xxxx›',
    'GET /c  same-origin  access-token: ‹xxxx›',
  ];
  const { message } = await failure(expect(journal).toHaveSent([]));
  expect(message.split('\n').slice(2).map(masked)).toEqual(readable.map(text => `+ ${text}`));
});

test('an expectation that failed, or has not ended, is unmet until it is repeated and holds', async () => {
  const lines = ['GET /a  same-origin'];
  journal.unmet.clear();
  const early = failure(expect(journal).toHaveSent(lines));
  expect([...journal.unmet.values()]).toEqual(['It had not ended.']);
  await early;
  await failure(expect(journal).not.toHaveSent([]));
  expect([...journal.unmet.values()].map(text => text.split(/[:,]/)[0])).toEqual([
    'Requests differ',
    'Expected other requests than these',
  ]);
  await fetch(`${page}/a`);
  await expect(journal).toHaveSent(lines);
  await expect(journal).not.toHaveSent([]);
  await journalMatchers.toHaveSent(journal, []);
  expect(journal.unmet.size).toBe(0);
});

test('no message holds a token, a password or a secret, wherever it stands', async () => {
  const token = 'S3CR3T-"quoted"-a/b+c=';
  const body = {
    user: 'ada',
    password: 'lovelace',
    tokens: { access: [token] },
    refreshToken: token,
    pinSecret: 987654,
  };
  const form = new FormData();
  form.set('new_password', 'love, lace=1');
  form.set('title', 'Hello');
  const sensitive = /S3CR3T|pw-1|lovelace|love, lace|987654/;
  await fetch(`${page}/a?access_token=${encodeURIComponent(token)}&page=2`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  await fetch(`${page}/echo/${encodeURIComponent(token)}`, { method: 'POST', body: JSON.stringify(body) });
  await fetch(`${page}/b`, { method: 'POST', body: new URLSearchParams({ password: 'pw-1', a: '1' }) });
  await fetch(`${page}/c`, { method: 'POST', body: form });
  await fetch(`${page}/d`, { method: 'POST', body: `the token was ${token}` });
  await journal.bodiesRead();
  const raw = journal.lines({ redact: false });
  expect(raw.filter(text => sensitive.test(text))).toHaveLength(5);

  const unexpected = await failure(expect(journal).toHaveSent([]));
  journal.clear();
  const missing = await failure(expect(journal).toHaveSent(raw));
  for (const error of [unexpected, missing]) {
    expect(error.all).not.toMatch(sensitive);
    expect(error.all).not.toContain(encodeURIComponent(token));
    expect(masked(error.message)).toContain(
      'GET /a?access_token=‹xxxx›&page=2  same-origin  authorization: Bearer ‹xxxx›',
    );
    expect(masked(error.message)).toContain(
      '{"user":"ada","password":"‹xxxx›","tokens":{"access":["‹xxxx›"]},"refreshToken":"‹xxxx›","pinSecret":‹xxxx›}',
    );
    expect(masked(error.message)).toContain('password=‹xxxx›&a=1');
    expect(masked(error.message)).toContain('form-data{new_password="‹xxxx›", title=Hello}');
  }
});

test('lines for people hide secrets, lines for comparing do not', async () => {
  await send('/a');
  expect(journal.lines().map(masked)).toEqual([line('/a', '‹xxxx›')]);
  expect(journal.lines({ redact: false })).toEqual([line('/a')]);
});

test('compares more headers on request', async () => {
  await fetch(`${page}/a`, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
  await expect(journal).toHaveSent(['POST /a  same-origin  content-type: application/json  {}'], {
    headers: ['Content-Type'],
  });
});

test('not says what it refused', async () => {
  await send('/a');
  await expect(journal).not.toHaveSent([]);
  const error = await failure(expect(journal).not.toHaveSent([line('/a')]));
  expect(masked(error.message)).toBe(
    'Expected other requests than these, but exactly these were sent:\n\n  GET /a  same-origin  access-token: ‹xxxx›',
  );
});

test('a message stays below 1,000 characters and begins with the difference', async () => {
  const many = Array.from({ length: 40 }, (_, place) => `/article/${place}`);
  await send(...many);
  const folded = await failure(expect(journal).toHaveSent([...many.map(path => line(path)), line('/last')]));
  expect(folded.message).toContain('  … 38 more as expected');
  expect(folded.message).toContain('- GET /last');
  const long = await failure(expect(journal).toHaveSent([`POST /a  omit  ${'x'.repeat(5_000)}`]));
  expect(long.message).toMatch(/x … 4\d+ characters … x/);
  expect(long.message).toMatch(/… and \d+ more lines$/);
  for (const { message } of [folded, long]) expect(message.length).toBeLessThanOrEqual(1_000);
});

test('a line copied from a message is an expectation, with the hashes of its secrets', async () => {
  await send('/a');
  const login = { username: 'ada', password: 'lovelace' };
  await fetch(`${page}/login`, { method: 'POST', body: JSON.stringify(login) });
  const copied = diff(await failure(expect(journal).toHaveSent([]))).map(text => text.slice(2));
  expect(copied.map(masked)).toEqual([
    line('/a', '‹xxxx›'),
    'POST /login  same-origin  {"username":"ada","password":"‹xxxx›"}',
  ]);
  await expect(journal).toHaveSent(copied);
  const [first = '', second = ''] = copied;
  await expect(journal).toHaveSent([line('/a'), second]);

  const ofAnother = await failure(expect(journal).toHaveSent([first.replace(/‹\w+›/, '‹0000›'), second]));
  expect(ofAnother.message).toContain('1 missing, 1 unexpected, 1 as expected');
  await failure(expect(journal).toHaveSent([first, first, second]));
});

test('a journal whose worker has not been started says so', async () => {
  const silent = createRequestJournal(setupServer(), { origin: page });
  await send('/a');
  const many = Array.from({ length: 40 }, (_, place) => line(`/article/${place}`));
  const error = await failure(expect(silent).toHaveSent(many));
  expect(error.message).toContain(
    'The worker has not been started: msw has reported no request to this journal. Await worker.start() in the `beforeAll` of the preview, or call server.listen() in Node. If you do, make the journal of the same worker. Where a story imports the preview, two copies of it are loaded after an edit: import the worker and the journal from a module of its own.',
  );
  await expect(silent).toHaveSent([]);

  journal.clear();
  const started = await failure(expect(journal).toHaveSent(many));
  expect(started.message).not.toContain('not been started');
});

test('a wrong number of spaces is named', async () => {
  await send('/a');
  const error = await failure(expect(journal).toHaveSent(['GET /a same-origin access-token: ada-1']));
  expect(error.message).toContain('Only spaces differ: two of them stand between fields.');
});

test('says what to pass when it is used badly', async () => {
  const bad = expect as (value: unknown) => { toHaveSent(lines?: unknown): Promise<void> };
  await expect(bad([]).toHaveSent([])).rejects.toThrow(
    'toHaveSent compares a request journal: pass what createRequestJournal(worker) returned to expect().',
  );
  for (const lines of ['GET /a', undefined, [1], [{ line: 1 }]]) {
    await expect(bad(journal).toHaveSent(lines)).rejects.toThrow(
      'toHaveSent takes all expected requests as one array of lines',
    );
  }
});
