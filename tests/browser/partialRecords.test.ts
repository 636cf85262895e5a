// Rows with a part of the record, on a real server: the form reads the rest, and the console says what a detail and an `initial` lack.
import { expect } from 'vitest';
import type { Answer, Arrived } from './support/apiServer.js';
import { eventually, press, signIn, test } from './support/test.js';

const letter = { id: '1', title: 'On moths', author: 'ada' };
const answers = {
  'GET /letter': () => ({ body: [{ id: letter.id, title: letter.title }] }),
  'GET /letter/1': () => ({ body: letter }),
  'PUT /letter/1': (_: Answer, { body }: Arrived) => ({ body: JSON.parse(body) as object }),
};
const DETAIL = 'data-client-auth: <ResourceDetail> shows a record that another response has brought';
const INITIAL = 'data-client-auth: The `initial` of <ResourceForm action="update"> has `author` from its class only';

test.for([
  ['development', 'row', 0, '', [DETAIL, INITIAL]],
  ['development', 'server', 1, 'ada', [DETAIL]],
  ['production', 'server', 1, 'ada', []],
] as const)(
  'a %s build, a form filled by the %s: %i GETs of the record',
  async ([build, from, gets, author, warned], { context, startServer }) => {
    const server = await startServer({ build, answers });
    const page = await context.newPage();
    const texts: string[] = [];
    page.on('console', message => {
      if (message.type() === 'warning') texts.push(message.text());
    });
    await page.goto(`${server.url}/page?${new URLSearchParams({ session: 'token', partial: from }).toString()}`);
    await signIn(page, 'ada');
    server.requests.length = 0;
    await press(page, 'Open 1');
    await page.getByLabel('Title').fill('On letters');
    await eventually(() => page.locator('#letter').textContent(), `On moths by ${author || 'nobody'}`);
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();

    const sent = server.requests.map(({ method, path }) => `${method} ${path}`);
    expect(sent).toEqual([...Array.from({ length: gets }, () => 'GET /letter/1'), 'PUT /letter/1']);
    expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toEqual({ id: '1', title: 'On letters', author });
    const warnings = texts.filter(text => text.startsWith('data-client-auth'));
    expect(warnings).toEqual(warned.map(start => expect.stringContaining(start) as string));
  },
);
