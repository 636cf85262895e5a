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

/** Scrolls to the row, if one is given, and resolves with the numbers of the rows that are then visible. All rows have one height. */
async function see(page: Page, number?: number): Promise<number[]> {
  await row(page, 1).waitFor({ state: 'attached' });
  return page.evaluate(async number => {
    const frame = document.getElementById('frame')!;
    const isFramed = getComputedStyle(frame).overflowY === 'auto';
    const { height } = document.querySelector('.dca-item')!.getBoundingClientRect();
    if (number) (isFramed ? frame : document.scrollingElement!).scrollTop = (number - 3) * height;
    for (let frames = 0; frames < 4; frames++) await new Promise(requestAnimationFrame);
    const { left, top } = isFramed ? frame.getBoundingClientRect() : { left: 0, top: 0 };
    const room = isFramed ? frame.clientHeight : innerHeight;
    // Half a row from both ends, where a row is seen in part.
    const ys = Array.from({ length: Math.floor(room / height) - 1 }, (_, step) => top + (step + 0.5) * height);
    return ys.map(y => Number(document.elementFromPoint(left + 40, y)?.closest('.dca-item')?.ariaPosInSet));
  }, number);
}

describe('the focus after a deletion', () => {
  test.for([3, 20, 100, 198])(
    'goes to the row that has taken the place of row %i, again and again',
    async (number, { startServer, open }) => {
      const page = await open(await startServer({ otherwise: rowServer(200) }), app('page'));
      await see(page, number);
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
    await see(page, 100);
    await button(page, 'Delete 102').focus();
    await press(page, 'Delete 100');
    await page.getByText('Row 100', { exact: true }).waitFor({ state: 'detached' });
    expect(await focusedRow(page)).toBe('Row 102');
    await page.keyboard.press('Enter');
    await eventually(() => focusedRow(page), 'Row 103');
  });

  test('is on the first row of another list', async ({ startServer, open }) => {
    const page = await open(await startServer({ otherwise: rowServer(200) }), app('page'));
    await see(page, 100);
    await button(page, 'Delete 100').focus();
    await button(page, 'Other rows').dispatchEvent('click');
    await page.locator('[aria-busy="false"] > .dca-item').first().waitFor();
    await eventually(() => row(page, 1).evaluate(node => node === document.activeElement), true);
  });
});

/** Waits until the visible rows follow each other, and this one is among them, after a scroll to it or as they are. */
async function expectAround(page: Page, number?: number) {
  const isRight = async () => {
    const seen = await see(page, number);
    // Buttons are above the first row.
    const numbers = seen.slice(seen.findIndex(Boolean));
    return numbers.every((found, step) => found === numbers[0]! + step) && (!number || numbers.includes(number));
  };
  await eventually(isRight, true);
}

/** Wherever the list is scrolled to, rows are visible, and the document has a part of them. */
async function expectAllAround(page: Page) {
  for (const number of [500, 4, 950]) await expectAround(page, number);
  expect(await page.locator('.dca-item').count()).toBeLessThan(100);
}

/** Longer than the virtualizer waits after a scroll event for the next one. */
const SCROLL_END_MS = 200;

describe('a list that is laid out after it was rendered', () => {
  test.for(['dialog', 'hidden'] as const)(
    'in a part of the page that is shown later (%s)',
    async (around, { startServer, open }) => {
      const page = await open(await startServer({ otherwise: rowServer(1_000) }), app(around));
      const close = async () => {
        if (around === 'dialog') await page.keyboard.press('Escape');
        else await press(page, 'Hide');
        await row(page, 1).waitFor({ state: 'hidden' });
      };
      await row(page, 1).waitFor({ state: 'attached' });
      await press(page, 'Show');
      await expectAllAround(page);
      await close();
      // The list reads where it is once more, after the last event. What is hidden says that it is at its start.
      await page.locator('#frame').dispatchEvent('scroll');
      await page.waitForTimeout(SCROLL_END_MS);
      expect(await page.locator('.dca-item').count()).toBeLessThan(100);
      await press(page, 'Show');
      // The browser shows a dialog scrolled as it was, without an event.
      await expectAround(page);
      await expectAllAround(page);
    },
  );

  const WIDE = { width: 1_000, height: 600 };
  const NARROW = { width: 600, height: 600 };
  const SHORT = { width: 600, height: 380 };
  test.for([
    ['from the page to a part of it', NARROW, WIDE],
    ['from a part of the page to the page', WIDE, NARROW],
    ['from the page to a part of it, by the height alone', NARROW, SHORT],
    ['from a part of the page to the page, by the height alone', SHORT, NARROW],
  ] as const)('in another layout: %s scrolls', async ([, before, after], { startServer, open }) => {
    const page = await open(await startServer({ otherwise: rowServer(1_000) }), app('frame'));
    await page.setViewportSize(before);
    await expectAllAround(page);
    for (const size of [after, before]) {
      await page.setViewportSize(size);
      await expectAllAround(page);
    }
  });
});

describe('the layout of the app', () => {
  /** Scrolls, and compares the visible rows with those of a list that has all rows, each 50 px high: `gap` is between them. */
  async function expectInPlace(page: Page, gap: number) {
    await row(page, 1).waitFor({ state: 'attached' });
    for (const part of [0.3, 0.001, 0.6, 1, 0]) {
      await eventually(
        () =>
          page.evaluate(
            async ([part, pitch, gap]) => {
              const frame = document.getElementById('frame')!;
              const isFramed = getComputedStyle(frame).overflowY === 'auto';
              const scroller = isFramed ? frame : document.scrollingElement!;
              const list = document.querySelector<HTMLElement>('.dca-items')!;
              scroller.scrollTop = part * (scroller.scrollHeight - scroller.clientHeight);
              for (let frames = 0; frames < 4; frames++) await new Promise(requestAnimationFrame);
              const { top: start, height } = list.getBoundingClientRect();
              if (Math.abs(list.offsetHeight - 1_000 * pitch + gap) > 2) return `${list.offsetHeight} px high`;
              const scale = height / list.offsetHeight;
              const view = isFramed ? frame.getBoundingClientRect() : { top: 0, bottom: innerHeight };
              const first = Math.max(0, Math.ceil((view.top - start) / scale / pitch));
              const last = Math.min(999, Math.floor((view.bottom - start) / scale / pitch) - 1);
              for (let index = first; index <= last; index++) {
                const found = list.querySelector(`[aria-posinset="${index + 1}"]`);
                const top = found && (found.getBoundingClientRect().top - start) / scale;
                if (top === null || Math.abs(top - index * pitch) > 2) return `row ${index + 1} at ${top}`;
              }
              // A transform leaves the space that the list had without it.
              return last > first || start + height < view.top + pitch ? 'in place' : `only row ${first}`;
            },
            [part, 50 + gap, gap] as const,
          ),
        'in place',
      );
      expect(await page.locator('.dca-item').count()).toBeLessThan(100);
    }
  }

  const COLUMN = '.dca-item { box-sizing: border-box; height: 50px; flex: none } body { overflow-anchor: none }';
  const changes = ['zoom: 0.5', 'transform: scale(0.5); transform-origin: top'];
  test.for([
    ...['#frame', '#root', '.dca-list', '.dca-items'].flatMap(on =>
      changes.flatMap(change =>
        (['page', 'frame'] as const).map(around => [around, `${on} { ${change} }`, 0] as const),
      ),
    ),
    ...['html { zoom: 0.8 }', 'body { zoom: 0.8 }'].map(look => ['page', look, 0] as const),
    ...['display: grid; gap: 12px', 'display: flex; flex-direction: column; gap: 12px; zoom: 0.5'].flatMap(look =>
      (['page', 'frame'] as const).map(around => [around, `.dca-items { ${look} }`, 12] as const),
    ),
    ['page', '.dca-items { gap: 12px }', 0] as const,
  ])('is measured as it is laid out: %s, %s', async ([around, look, gap], { startServer, open }) => {
    const page = await open(await startServer({ otherwise: rowServer(1_000) }), {
      ...app(around),
      look: COLUMN + look,
    });
    await page.setViewportSize({ width: 1_000, height: 600 });
    await expectInPlace(page, gap);
  });

  test.for([
    'display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 12px',
    'display: flex; flex-wrap: wrap; gap: 12px',
    'columns: 2',
  ])(
    'has all rows where they are side by side, and few where they are not: %s',
    async (look, { startServer, open }) => {
      const css = `@media (min-width: 600px) { .dca-items { ${look} } .dca-item { width: 200px } }`;
      const page = await open(await startServer({ otherwise: rowServer(300) }), { ...app('page'), look: css });
      for (const width of [1_000, 400, 1_000]) {
        await page.setViewportSize({ width, height: 600 });
        if (width > 600) await eventually(() => page.locator('.dca-item').count(), 300);
        else await eventually(async () => (await page.locator('.dca-item').count()) < 100, true);
      }
    },
  );

  test('has all rows unless the app chooses otherwise', async ({ startServer, open }) => {
    const page = await open(await startServer({ otherwise: rowServer(300) }), { ...app('page'), all: '' });
    await eventually(() => page.locator('.dca-item').count(), 300);
  });
});

test('a row in which the user has typed stays in the document, as long as it has a field', async ({
  startServer,
  open,
}) => {
  const page = await open(await startServer({ otherwise: rowServer(1_000) }), app('page'));
  const type = async (number: number) => {
    await see(page, number);
    await button(page, `Edit ${number}`).click();
    await page.getByLabel(`Title of ${number}`, { exact: true }).fill(`Ten minutes of work on ${number}`);
  };
  const typed = async (number: number) => {
    await see(page, number);
    return page.getByLabel(`Title of ${number}`, { exact: true }).inputValue();
  };
  await type(10);
  await type(100);
  await see(page, 500);
  await page.getByText('Row 501', { exact: true }).click();
  expect(await typed(10)).toBe('Ten minutes of work on 10');
  expect(await typed(100)).toBe('Ten minutes of work on 100');
  expect(await page.locator('.dca-item').count()).toBeLessThan(100);

  await button(page, 'Cancel 100').click();
  await type(500);
  await see(page, 900);
  await page.getByText('Row 901', { exact: true }).click();
  await row(page, 100).waitFor({ state: 'detached' });
  expect([await row(page, 10).count(), await row(page, 500).count()]).toEqual([1, 1]);
});
