import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ENGLISH_LABELS } from '../../src/widgets/labels/englishLabels.js';
import { PageNavigation } from '../../src/widgets/pagination/PageNavigation.js';

/** What stands between “Previous” and “Next”: numbers, and `…` for pages that are left out. */
function shownPages(page: number, count: number | undefined) {
  const overview = { count, total: undefined, size: undefined, hasNext: count === undefined || page < count };
  const html = renderToStaticMarkup(
    <PageNavigation page={page} overview={overview} labels={ENGLISH_LABELS} goTo={() => {}} />,
  );
  return [...html.matchAll(/>(\d+|…)</g)].map(([, text]) => (text === '…' ? text : Number(text)));
}

test.each([
  [1, 2, [1, 2]],
  [1, 10, [1, 2, '…', 10]],
  [4, 10, [1, 2, 3, 4, 5, '…', 10]],
  [5, 10, [1, '…', 4, 5, 6, '…', 10]],
  [7, 10, [1, '…', 6, 7, 8, 9, 10]],
  [1, undefined, [1]],
  [3, undefined, [1, 2, 3]],
  [9, undefined, [1, '…', 8, 9]],
])('page %i of %s', (page, count, shown) => expect(shownPages(page, count)).toEqual(shown));

test('the first and the last page, the current one and its neighbours are there; each gap leaves out two pages or more', () => {
  const pages = fc
    .integer({ min: 2, max: 60 })
    .chain(count => fc.tuple(fc.integer({ min: 1, max: count }), fc.constant(count)));
  fc.assert(
    fc.property(pages, ([page, count]) => {
      const shown = shownPages(page, count);
      const wanted = [1, page - 1, page, page + 1, count].filter(number => number >= 1 && number <= count);
      expect(shown).toEqual(expect.arrayContaining(wanted));
      shown.forEach((entry, index) => {
        const [before, after] = [shown[index - 1], shown[index + 1]];
        if (entry === '…') expect(Number(after) - Number(before)).toBeGreaterThan(2);
        else if (index > 0 && before !== '…') expect(entry).toBe(Number(before) + 1);
      });
    }),
  );
});

test('one page needs no buttons', () => expect(shownPages(1, 1)).toEqual([]));
