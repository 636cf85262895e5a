import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareRows, type Comparison, type RowKey } from '../../src/widgets/pagination/compareRows.js';

/** What happens to a list: a page of the server is appended, the user creates a row at one of its ends, or deletes one. */
const changes = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('page' as const), rows: fc.nat(4) }),
    fc.record({ kind: fc.constant('create' as const), atEnd: fc.boolean() }),
    fc.record({ kind: fc.constant('delete' as const), at: fc.nat(10) }),
  ),
  { maxLength: 20 },
);

test('a comparison that goes on from the last one has the same result as one of all rows', () => {
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
        expect(before).toMatchObject({ present: items.length - own.length, created: new Set(own) });
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

test('after an append, it asks the new rows only for their keys', () => {
  const asked: number[] = [];
  const rowAt = (index: number) => ({ pk: () => (asked.push(index), `${index}`) });
  const first = Array.from({ length: 100 }, (_, index) => rowAt(index));
  const received = new Set<RowKey>(first.map((_, index) => `${index}`));
  const before = compareRows(first, received, undefined);
  const items = [...first, rowAt(100), rowAt(101)];
  asked.length = 0;
  const unstored = compareRows(items, received, before);
  received.add('100').add('101');
  expect(compareRows(items, received, unstored)).toMatchObject({ present: 102, last: '101', created: new Set() });
  expect([...new Set(asked)]).toEqual([99, 100, 101]);
});
