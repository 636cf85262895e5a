import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createRequestJournal, journalMatchers, requestLines } from '../../src/testing/index.js';

expect.extend(journalMatchers);

const page = 'https://app.example.com';
const api = 'https://api.example.com';
const server = setupServer(http.all('*', () => new HttpResponse(null, { status: 204 })));
const journal = createRequestJournal(server, { origin: page });

beforeAll(() => server.listen());
afterEach(() => journal.clear());
afterAll(() => {
  journal.dispose();
  server.close();
});

/** The lines of the journal for what was sent, tokens included. */
async function sentLines(...requests: [url: string, init?: RequestInit][]) {
  for (const [url, init] of requests) await fetch(url, init);
  await journal.bodiesRead();
  return journal.lines({ redact: false, headers: ['x-tenant'] });
}

const headers = { 'Access-Token': 'ada-1' };
const body = JSON.stringify({ title: 'On writing' }, null, 2);

test('each method starts a line, with the prefix of a path or of an origin', async () => {
  const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
  const own = requestLines({ prefix: '/api' });
  const other = requestLines({ prefix: api });
  const line = (sent: typeof own, method: string) => sent[method.toLowerCase() as keyof typeof own]('/article').line;
  expect(
    await sentLines(...methods.map(method => [`${page}/api/article`, { method }] as [string, RequestInit])),
  ).toEqual(methods.map(method => line(own, method)));
  journal.clear();
  expect(await sentLines(...methods.map(method => [`${api}/article`, { method }] as [string, RequestInit]))).toEqual(
    methods.map(method => line(other, method)),
  );
});

test('a line is what the journal prints: token, headers, body and credentials mode', async () => {
  const sent = requestLines({ prefix: api });
  const lines = await sentLines(
    [`${api}/article?author=ada b#top`, { headers }],
    [`${api}/article/1`, { method: 'PATCH', headers: { ...headers, 'X-Tenant': ' north ' }, body }],
    [`${api}/article/1`, { method: 'PATCH', headers: { 'Access-Token': 'ada-2' }, body: 'two\nlines' }],
    [`${api}/login`, { method: 'POST', credentials: 'include', body: '{"username":"ada"}' }],
    [`${page}/other`, { credentials: 'omit', headers: { 'Access-Token': '' } }],
    [api],
  );
  expect(lines).toEqual([
    sent.get('/article?author=ada b').as('ada').line,
    sent.patch('/article/1').json({ title: 'On writing' }).headers({ 'X-Tenant': ' north ' }).as('ada').line,
    sent.patch('/article/1').as('ada', 2).body('two\nlines').line,
    sent.post('/login').credentials('include').json({ username: 'ada' }).line,
    requestLines({ credentials: 'omit' }).get('/other').headers({ 'access-token': '' }).line,
    sent.get('').line,
  ]);
  expect(lines[1]).toBe(
    'PATCH https://api.example.com/article/1  same-origin  access-token: ada-1  x-tenant: north  {"title":"On writing"}',
  );
});

test('`as` takes the credential of the app, and the latest one wins', () => {
  const sent = requestLines({ prefix: '/api', as: (user, token) => ({ Authorization: `Bearer ${user}.${token}` }) });
  const first = sent.get('/article').as('ada');
  expect(String(first.as('grace', 3))).toBe('GET /api/article  same-origin  authorization: Bearer grace.3');
  expect(String(first)).toBe('GET /api/article  same-origin  authorization: Bearer ada.1');
});

test('an absolute URL in a line replaces the prefix', () => {
  expect(requestLines({ prefix: '/api' }).get(`${api}/article`).line).toBe(`GET ${api}/article  same-origin`);
});

test('toHaveSent takes built lines and text, and hides the tokens of both', async () => {
  const sent = requestLines({ prefix: api });
  await sentLines([`${api}/article/1`, { headers }], [`${api}/article/2`, { headers }]);
  await expect(journal).toHaveSent([
    sent.get('/article/1').as('ada'),
    'GET https://api.example.com/article/2  same-origin  access-token: ada-1',
  ]);
  const failure = (await expect(journal)
    .toHaveSent([sent.get('/article/1').as('ada'), sent.get('/article/3').as('ada')])
    .catch((error: unknown) => error)) as Error;
  expect(
    failure.message
      .replace(/‹\w{4}›/g, '‹xxxx›')
      .split('\n')
      .slice(2),
  ).toEqual([
    `  GET ${api}/article/1  same-origin  access-token: ‹xxxx›`,
    `- GET ${api}/article/3  same-origin  access-token: ‹xxxx›`,
    `+ GET ${api}/article/2  same-origin  access-token: ‹xxxx›`,
  ]);
});
