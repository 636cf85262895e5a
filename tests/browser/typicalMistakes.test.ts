// The mistakes of a newcomer that show only where effects run: see tests/typicalMistakes.
import { expect } from 'vitest';
import { eventually, press, signIn, test } from './support/test.js';

const answers = {
  'GET /memo': () => ({ body: { results: [{ id: '1' }], next: '/memo?page=2' } }),
  'GET /note': () => ({ body: { results: [{ id: '2' }], total: 200 } }),
};
const FIRST_PAGE =
  'data-client-auth: ResourceList shows the first page of GET /memo: the response says that there are more rows. Use PaginatedList, or ask for the number of rows that you want to show.';
const UNCLEAR_END =
  'data-client-auth: GET /note answered an object with results, total, which does not say whether there are more rows, or how to get them. Tell PaginatedList by its `next` prop: nextPageNumber(), nextCursor(), nextLink(), or a function of your own.';
const NEW_SESSIONS =
  'data-client-auth: A provider has got another session twice, as when a component makes one at each render, or hot updates load its module again: tokens in memory are lost, and everything below is mounted again. Make the session once, outside of components. If you change sessions on purpose, give the provider a `key`.';

test.for([
  ['development', 'once', [NEW_SESSIONS, UNCLEAR_END, FIRST_PAGE]],
  ['production', 'never', []],
] as const)('a %s build warns %s of each mistake', async ([build, _, warned], { context, startServer }) => {
  const server = await startServer({ build, answers });
  const page = await context.newPage();
  const texts: string[] = [];
  page.on('console', message => {
    if (message.type() === 'warning') texts.push(message.text());
  });
  await page.goto(`${server.url}/page?session=token&mistakes`);
  await signIn(page, 'ada');
  await page.getByText('Memo 1').waitFor();
  await page.getByText('Note 2').waitFor();
  await press(page, 'Render again');
  expect(texts.filter(text => text === NEW_SESSIONS)).toEqual([]);
  await press(page, 'Render again');
  await press(page, 'Render again');
  await eventually(() => texts.filter(text => text.startsWith('data-client-auth')).sort(), [...warned]);
});
