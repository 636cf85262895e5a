// Widgets that a portal renders into another document: their elements and files are not of the page's own classes.
import type { Frame, Page } from 'playwright';
import { describe, expect } from 'vitest';
import type { Answer, Arrived } from './support/apiServer.js';
import { eventually, test } from './support/test.js';

const rows = Array.from({ length: 500 }, (_, index) => ({ id: `${index + 1}`, title: `Row ${index + 1}` }));
const rowServer = ({ method }: Arrived): Answer => (method === 'DELETE' ? { status: 204 } : { body: rows });
const context = { session: 'context', subject: 'ada', token: 't' };

async function frameOf(page: Page): Promise<Frame> {
  await eventually(() => page.frames().length, 2);
  return page.frames()[1]!;
}

/** The titles of the rows whose upper edge is in the visible part. */
const visibleRows = (frame: Frame) =>
  frame.evaluate(() =>
    [...document.querySelectorAll('.dca-item')]
      .filter(row => row.getBoundingClientRect().top >= 0 && row.getBoundingClientRect().top < 250)
      .map(row => row.querySelector('span')!.textContent),
  );

describe.each(['window', 'element'])('a long list in a frame, whose %s scrolls', scroller => {
  test('shows the rows at the place to which the user scrolls', async ({ startServer, open }) => {
    const server = await startServer({ otherwise: rowServer });
    const page = await open(server, { ...context, long: 'page', inFrame: scroller });
    const frame = await frameOf(page);
    await frame.locator('.dca-item').first().waitFor();
    await eventually(async () => (await visibleRows(frame))[0], 'Row 1');
    await frame.evaluate(() => {
      const { scrollingElement } = document;
      const main = document.querySelector('main')!;
      const scrolled = main.style.overflowY ? main : scrollingElement!;
      scrolled.scrollTop = scrolled.scrollHeight / 2;
    });
    await eventually(async () => (await visibleRows(frame)).length > 3, true);
    const [first] = await visibleRows(frame);
    expect(Number(first?.replace('Row ', ''))).toBeGreaterThan(100);
    expect(await frame.locator('.dca-item').count()).toBeLessThan(100);
  });
});

test('a deleted row leaves the focus to the next one', async ({ startServer, open }) => {
  const server = await startServer({ otherwise: rowServer });
  const frame = await frameOf(await open(server, { ...context, long: 'page', inFrame: 'window' }));
  await frame.getByRole('button', { name: 'Delete 2', exact: true }).click();
  await frame.getByText('Row 2', { exact: true }).waitFor({ state: 'detached' });
  const focused = () => frame.evaluate(() => document.activeElement?.querySelector('span')?.textContent);
  await eventually(focused, 'Row 3');
});

test('a form sends the file, and puts the focus on a refused input', async ({ startServer, open }) => {
  const refused: Answer = { status: 422, body: { title: ['Too short.'] } };
  const server = await startServer({ answers: { 'POST /article': () => refused } });
  const page = await open(server, { session: 'token', upload: '', inFrame: 'window' });
  const frame = await frameOf(page);
  await frame.getByRole('button', { name: 'Sign in as ada' }).click();
  const form = frame.getByRole('form', { name: 'Create' });
  await form.getByLabel('Title').fill('On');
  await form
    .getByLabel('File')
    .setInputFiles({ name: 'moth.txt', mimeType: 'text/plain', buffer: Buffer.from('wings') });
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('Too short.').waitFor();
  const { body } = server.requests.find(({ method, path }) => `${method} ${path}` === 'POST /article')!;
  expect(body).toContain('filename="moth.txt"\r\nContent-Type: text/plain\r\n\r\nwings\r\n');
  await eventually(() => form.getByLabel('Title').evaluate(input => input === input.ownerDocument.activeElement), true);
});
