// The mistakes of a newcomer that show only where effects run: see tests/typicalMistakes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { eventually, press, signIn, test } from './support/test.js';

const answers = {
  'GET /memo': () => ({ body: { results: [{ id: '1' }], next: '/memo?page=2' } }),
  'GET /city': () => ({ status: 401, body: {} }),
  'GET /note': () => ({ body: { results: [{ id: '2' }], total: 200 } }),
};
const FIRST_PAGE =
  'data-client-auth: ResourceList shows the first page of GET /memo: the response says that there are more rows. Use PaginatedList, or ask for the number of rows that you want to show.';
const UNCLEAR_END =
  'data-client-auth: GET /note answered an object with results, total, which does not say whether there are more rows, or how to get them. Tell PaginatedList by its `next` prop: nextPageNumber(), nextCursor(), nextLink(), or a function of your own.';
const NEW_SESSIONS =
  'data-client-auth: A provider has got another session, as when a component makes one at each render, or hot updates load its module again: tokens in memory are lost, and everything below is mounted again. Make the session once, outside of components. If you change sessions on purpose, give the provider a `key`.';

const NO_SESSION =
  'data-client-auth: GET /city (Memo.getList) was answered with 401. Its endpoint has no session, so it was sent without credentials. Read it by the hook of hookifyResource(resource), for example useSuspense(Articles.useGet(), params), or mark the endpoint `public: true`.';
const blocked = (method: string, elsewhere: string, page: string, rest: string) =>
  `data-client-auth: ${method} to ${elsewhere} got no answer. If that server is running, it does not allow this page to send the request (CORS). Let it answer with Access-Control-Allow-Origin: ${page}${rest}.`;

const HEADERS_TOO =
  '; Access-Control-Allow-Methods: PATCH; Access-Control-Allow-Headers: access-token, content-type, also to the OPTIONS request that the browser sends before';

/** A server that knows nothing of CORS. */
async function serverWithoutCors(): Promise<string> {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end('{}'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.for([
  ['development', 'once', [NEW_SESSIONS, NO_SESSION, UNCLEAR_END, FIRST_PAGE]],
  ['production', 'never', []],
] as const)('a %s build warns %s of each mistake', async ([build, _, warned], { context, startServer }) => {
  const server = await startServer({ build, answers });
  const elsewhere = await serverWithoutCors();
  const page = await context.newPage();
  const texts: string[] = [];
  page.on('console', message => {
    // A build shortens the names of classes.
    if (message.type() === 'warning') texts.push(message.text().replace(/\(\w+\.getList\)/, '(Memo.getList)'));
  });
  await page.goto(`${server.url}/page?session=token&mistakes&elsewhere=${elsewhere}`);
  await signIn(page, 'ada');
  await page.getByText('Memo 1').waitFor();
  await page.getByText('Note 2').waitFor();
  await press(page, 'Render again');
  await press(page, 'Render again');
  await press(page, 'Read without a session');
  await press(page, 'Send elsewhere');
  const ofCors = [
    blocked('PATCH', elsewhere, server.url, HEADERS_TOO),
    blocked('GET', elsewhere, server.url, HEADERS_TOO.replace(/ [\w-]+: PATCH;|access-token, /g, '')),
  ];
  const expected = build === 'development' ? [...warned, ...ofCors] : warned;
  await eventually(() => texts.filter(text => text.startsWith('data-client-auth')).sort(), [...expected].sort());
});
