import { expect } from 'vitest';
import { eventually, press } from '../browser/support/test.js';
import { enter } from './support/demoApp.js';
import { jwtServer } from './support/jwtServer.js';
import { test } from './support/test.js';

/** A token that the test does not outlive, in seconds. */
const LONG = 300;

const aboutDeleting = (id: string) => ({ action: 'delete', on: { type: 'Note', id } });

test('a role is removed while the user works: the DELETE is refused, one question is asked, the button goes', async ({
  start,
  openApp,
}) => {
  const server = await start(options =>
    jwtServer({ ...options, shelves: { ada: 2, grace: 0 }, pageSize: 10, lifetime: LONG }),
  );
  const page = await openApp(server, { session: 'jwt-roles' });
  await enter(page, 'ada');
  const row = page.getByRole('listitem').filter({ hasText: 'ada’s note 1' });
  const buttons = () => page.getByRole('button', { name: /^Delete / }).allTextContents();
  await eventually(buttons, ['Delete ada’s note 1', 'Delete ada’s note 2']);
  server.removeEditor('ada');
  await press(page, 'Delete ada’s note 1');

  await row.getByText('Only editors delete notes.').waitFor();
  // The server's own words, as they are.
  await row.getByText('only editors delete notes', { exact: true }).waitFor();
  expect(await row.getByText('ada’s note 1', { exact: true }).count()).toBe(1);
  // Nothing has told the page about the other row.
  expect(await buttons()).toEqual(['Delete ada’s note 2']);
  expect(server.asked).toEqual([[aboutDeleting('1'), aboutDeleting('2')], [aboutDeleting('1')]]);
  expect(server.log.lines()).toEqual([
    'POST /auth/login  nobody  200',
    'GET /api/note  ada  200',
    'POST /api/permissions  ada  200',
    'DELETE /api/note/1  ada  403',
    'POST /api/permissions  ada  200',
  ]);
});
