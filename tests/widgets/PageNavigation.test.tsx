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

test.each([
  [4, 'true'],
  [3, 'false'],
])(
  'page %i of 4, after a response about another page that has a next one: “Next” is disabled: %s',
  (page, disabled) => {
    const overview = { count: 4, total: undefined, size: undefined, hasNext: true };
    const html = renderToStaticMarkup(
      <PageNavigation page={page} overview={overview} labels={ENGLISH_LABELS} goTo={() => {}} />,
    );
    expect(html).toContain(`aria-disabled="${disabled}">Next<`);
  },
);

test('one page needs no buttons', () => expect(shownPages(1, 1)).toEqual([]));

test.each([
  ['English', ENGLISH_LABELS.page, '1,250'],
  ['German', (page: number) => `Seite ${page.toLocaleString('de')}`, '1.250'],
  ['French', (page: number) => `Page ${page.toLocaleString('fr')}`, '1\u202f250'],
  ['Arabic', (page: number) => `صفحة ${page.toLocaleString('ar-EG')}`, '١٬٢٥٠'],
  ['Japanese', (page: number) => `第${page}頁`, '1250'],
  ['a text without a number', () => 'this page', '1250'],
])('a button shows the number that is in its name: %s', (_, page, shown) => {
  const overview = { count: undefined, total: undefined, size: undefined, hasNext: false };
  const labels = { ...ENGLISH_LABELS, page };
  const html = renderToStaticMarkup(<PageNavigation page={1250} overview={overview} labels={labels} goTo={() => {}} />);
  expect(html).toContain(`aria-label="${page(1250)}" aria-current="page">${shown}<`);
});
