// A list that changes while it is loaded page by page: rows are deleted and created, and no row is lost or shown twice.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Change } from './app/ChangingList.js';
import { ANSWERS, rowServer, type NewRowsAt } from './support/rowServer.js';
import { test } from './support/test.js';

const changes = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Change>('load more') },
    { weight: 3, arbitrary: fc.record({ remove: fc.nat(9) }, { noNullPrototype: true }) },
    { weight: 2, arbitrary: fc.constant<Change>('create') },
  ),
  { maxLength: 12 },
);
const runs = fc.record({
  changes,
  rows: fc.integer({ min: 2, max: 9 }),
  /** The end of the list that new rows join, and where the server puts them. */
  create: fc.constantFrom('push' as const, 'unshift' as const),
  newRowsAt: fc.constantFrom<NewRowsAt>('start', 'middle', 'end'),
});

/** Rows that were created ahead of the next page: all of it is known; and one of them is deleted after it. */
const examples: (typeof runs extends fc.Arbitrary<infer Run> ? [Run] : never)[] = [
  [{ rows: 6, create: 'unshift', newRowsAt: 'start', changes: ['load more', 'create', 'create', 'load more'] }],
  [{ rows: 6, create: 'unshift', newRowsAt: 'start', changes: ['load more', 'create', 'load more', { remove: 0 }] }],
  [{ rows: 6, create: 'push', newRowsAt: 'end', changes: ['load more', { remove: 3 }, 'create'] }],
];

const isReceived = (key: string) => !key.startsWith('new-');

test.for(Object.keys(ANSWERS))(
  '%s: at the end, a list that was changed between its pages has each row of the server once, in its order',
  { timeout: 120_000 },
  async (list, { context, startServer }) => {
    const server = rowServer(list);
    const { url } = await startServer({ otherwise: arrived => server.answer(arrived) });
    const open = async (create: string) => {
      const page = await context.newPage();
      const search = new URLSearchParams({ manual: '', session: 'context', subject: 'ada', token: 't', list, create });
      await page.goto(`${url}/page?${search.toString()}`);
      // The list is a module of its own, which the app loads when it is rendered.
      await page.evaluate(async () => {
        const { unmount } = window.mount();
        while (!window.changeList) await new Promise(resolve => setTimeout(resolve));
        unmount();
      });
      return page;
    };
    const pages = { push: await open('push'), unshift: await open('unshift') };

    await fc.assert(
      fc.asyncProperty(runs, async ({ changes, rows, create, newRowsAt }) => {
        server.start(rows, newRowsAt);
        const { shown, note, totals } = await pages[create].evaluate(
          ([changes, rows]) => window.changeList(changes, rows),
          [changes, rows] as const,
        );
        const requests = server.log.join('\n');
        expect([...shown].sort(), requests).toEqual(server.keys().sort());
        // A row that the user has created stays where the list has put it.
        expect(shown.filter(isReceived), requests).toEqual(server.keys().filter(isReceived));
        expect(note, requests).toBe(shown.length > 0 ? `All ${shown.length} loaded.` : '');
        for (const [said, right] of totals) expect(said ?? right, requests).toBe(right);
      }),
      { numRuns: Number(process.env.RUNS ?? 20), examples },
    );
  },
);
