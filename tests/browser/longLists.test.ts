// A list of which a part is in the document: where the focus goes after a deletion, what scrolls, and what the user has typed.
import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import type { Answer, Arrived } from './support/apiServer.js';
import { eventually, press, test } from './support/test.js';

interface Row {
  id: string;
  title: string;
}

/** Rows that the server deletes. The rows of `?kind=other` are other ones. */
function rowServer(count: number): (arrived: Arrived) => Answer {
  let rows: Row[] = Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, title: `Row ${index + 1}` }));
  return ({ method, path }) => {
    if (method === 'DELETE') {
      rows = rows.filter(({ id }) => id !== path.split('/').at(-1));
      return { status: 204 };
    }
    return { body: path.includes('kind=other') ? rows.map(({ id, title }) => ({ id: `o${id}`, title })) : rows };
  };
}

const app = (around: 'page' | 'frame' | 'dialog' | 'hidden') => ({
  session: 'context',
  subject: 'ada',
  token: 't',
  long: around,
});

/** The title of the row that has the focus, or has the element with the focus in it. */
const focusedRow = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('.dca-item')?.querySelector('span')?.textContent);

const row = (page: Page, number: number) => page.locator(`.dca-item[aria-posinset="${number}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Scrolls to the row, and resolves with the numbers of the rows that are then visible. All rows have one height. */
async function scrollTo(page: Page, number: number): Promise<number[]> {
  await row(page, 1).waitFor();
  return page.evaluate(async number => {
    const frame = document.getElementById('frame')!;
    const isFramed = getComputedStyle(frame).overflowY === 'auto';
    const scroller = isFramed ? frame : document.scrollingElement!;
    const { height } = document.querySelector('.dca-item')!.getBoundingClientRect();
    scroller.scrollTop = (number - 3) * height;
    for (let frames = 0; frames < 4; frames++) await new Promise(requestAnimationFrame);
    const { top, height: room } = isFramed ? frame.getBoundingClientRect() : { top: 0, height: innerHeight };
    // Half a row from both ends, where a row is seen in part.
    const ys = Array.from({ length: Math.floor(room / height) - 1 }, (_, step) => top + (step + 0.5) * height);
    return ys.map(y => Number(document.elementFromPoint(100, y)?.closest('.dca-item')?.ariaPosInSet));
  }, number);
}

describe('the focus after a deletion', () => {
  test.for([3, 20, 100, 198])(
    'goes to the row that has taken the place of row %i, again and again',
    async (number, { startServer, open }) => {
      const page = await open(await startServer({ otherwise: rowServer(200) }), app('page'));
      await scrollTo(page, number);
      await button(page, `Delete ${number}`).focus();
      for (const next of [number + 1, number + 2]) {
        await page.keyboard.press('Enter');
        await eventually(() => focusedRow(page), `Row ${next}`);
        await page.keyboard.press('Tab');
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(`Delete ${next}`);
      }
    },
  );

  test('goes to the row before, after the last one', async ({ startServer, open }) => {
    const page = await open(await startServer({ otherwise: rowServer(200) }), app('page'));
    await button(page, 'Delete 200').focus();
    await page.keyboard.press('Enter');
    await eventually(() => focusedRow(page), 'Row 199');
  });

  test('goes to the next row, also when rows above were deleted before', async ({ startServer, open }) => {
    const page = await open(await startServer({ otherwise: rowServer(200) }), app('page'));
    await scrollTo(page, 100);
    await button(page, 'Delete 102').focus();
    await press(page, 'Delete 100');
    await page.getByText('Row 100', { exact: true }).waitFor({ state: 'detached' });
    expect(await focusedRow(page)).toBe('Row 102');
    await page.keyboard.press('Enter');
    await eventually(() => focusedRow(page), 'Row 103');
  });

  test('is on the first row of another list', async ({ startServer, open }) => {
    const page = await open(await startServer({ otherwise: rowServer(200) }), app('page'));
    await scrollTo(page, 100);
    await button(page, 'Delete 100').focus();
    await button(page, 'Other rows').dispatchEvent('click');
    await page.locator('[aria-busy="false"] > .dca-item').first().waitFor();
    await eventually(() => row(page, 1).evaluate(node => node === document.activeElement), true);
  });
});
