// Widgets that a portal renders into another document, whose elements and files are not of the page's own classes, or into a shadow root.
import type { Frame, Page } from 'playwright';
import { describe, expect } from 'vitest';
import type { Answer, Arrived } from './support/apiServer.js';
import { pagedRows, rowsOf } from './support/pagedRows.js';
import { eventually, press, test } from './support/test.js';

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

describe('in a shadow root', () => {
  const inShadowRoot = { ...context, inShadowRoot: '' };
  /** The text of the focused element, or of the first one in it. */
  const focusedText = (page: Page) =>
    page.evaluate(() => {
      const focused = document.activeElement?.shadowRoot?.activeElement;
      return (focused?.querySelector('span') ?? focused)?.textContent;
    });

  test('a long list shows the rows at the place to which the user scrolls outside', async ({ startServer, open }) => {
    const page = await open(await startServer({ otherwise: rowServer }), { ...inShadowRoot, long: 'page' });
    const visible = () =>
      page
        .locator('.dca-item')
        .evaluateAll(items =>
          items
            .filter(item => item.getBoundingClientRect().top >= 0 && item.getBoundingClientRect().top < 250)
            .map(item => item.querySelector('span')!.textContent),
        );
    await page.locator('.dca-item').first().waitFor();
    await page.locator('#outer').evaluate(outer => (outer.scrollTop = outer.scrollHeight / 2));
    await eventually(async () => (await visible()).length > 3, true);
    const [first] = await visible();
    expect(Number(first?.replace('Row ', ''))).toBeGreaterThan(100);
    expect(await page.locator('.dca-item').count()).toBeLessThan(100);
  });

  test('a deleted row leaves the focus to the next one', async ({ startServer, open }) => {
    const page = await open(await startServer({ otherwise: rowServer }), { ...inShadowRoot, long: 'page' });
    await page.getByRole('button', { name: 'Delete 2', exact: true }).click();
    await page.getByText('Row 2', { exact: true }).waitFor({ state: 'detached' });
    await eventually(() => focusedText(page), 'Row 3');
  });

  test('a row that can be undone gives the focus to “Undo”', async ({ startServer, open }) => {
    const list = pagedRows(rowsOf(3));
    const page = await open(await startServer({ otherwise: list.answer }), {
      ...inShadowRoot,
      rows: 'items',
      deleteMode: 'undo',
    });
    await page.getByRole('button', { name: 'Delete 2', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await eventually(() => focusedText(page), 'Undo');
  });

  test('a form puts the focus on a refused input', async ({ startServer, open }) => {
    const refused: Answer = { status: 422, body: { title: ['Too short.'] } };
    const server = await startServer({ answers: { 'POST /article': () => refused } });
    const page = await open(server, { session: 'token', upload: '', inShadowRoot: '' });
    await press(page, 'Sign in as ada');
    const form = page.getByRole('form', { name: 'Create' });
    await form.getByLabel('Title').fill('On');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Too short.').waitFor();
    const isFocused = () => form.getByLabel('Title').evaluate(input => input.matches(':focus'));
    await eventually(isFocused, true);
  });
});
