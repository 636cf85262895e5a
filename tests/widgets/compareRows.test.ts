import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareRows, type Comparison, type RowKey } from '../../src/widgets/pagination/compareRows.js';

/** Changes of a list: the server's next page is appended, or the user creates a row at one end, or deletes a row. */
const changes = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('page' as const), rows: fc.nat(4) }),
    fc.record({ kind: fc.constant('create' as const), atEnd: fc.boolean() }),
    fc.record({ kind: fc.constant('delete' as const), at: fc.nat(10) }),
  ),
  { maxLength: 20 },
);

test('a comparison that continues from the previous one equals a comparison of all rows', () => {
  fc.assert(
    fc.property(changes, changes => {
      const received = new Set<RowKey>();
      let items: readonly { id: number }[] = [];
      let before: Comparison | undefined;
      let id = 0;
      const compare = () => {
        before = compareRows(items, received, before);
        expect(before).toEqual(compareRows(items, received, undefined));
        const isReceived = (row: { id: number }) => received.has(String(row.id));
        const own = items.filter(row => !isReceived(row)).map(row => String(row.id));
        expect(before).toMatchObject({ receivedCount: items.length - own.length, created: new Set(own) });
      };
      for (const change of changes) {
        if (change.kind === 'create') {
          const row = { id: id++ };
          items = change.atEnd ? [...items, row] : [row, ...items];
        } else if (change.kind === 'delete') {
          items = items.filter((_, index) => index !== change.at);
        } else {
          const rows = Array.from({ length: change.rows }, () => ({ id: id++ }));
          items = [...items, ...rows];
          // The list renders the rows of a page before their keys are stored.
          compare();
          for (const row of rows) received.add(String(row.id));
        }
        compare();
      }
    }),
  );
});

test('after an append, it reads the keys of the new rows only', () => {
  const readIndexes: number[] = [];
  const rowAt = (index: number) => ({ pk: () => (readIndexes.push(index), `${index}`) });
  const first = Array.from({ length: 100 }, (_, index) => rowAt(index));
  const received = new Set<RowKey>(first.map((_, index) => `${index}`));
  const before = compareRows(first, received, undefined);
  const items = [...first, rowAt(100), rowAt(101)];
  readIndexes.length = 0;
  const unstored = compareRows(items, received, before);
  received.add('100').add('101');
  expect(compareRows(items, received, unstored)).toMatchObject({
    receivedCount: 102,
    created: new Set(),
  });
  expect([...new Set(readIndexes)]).toEqual([100, 101]);
});
