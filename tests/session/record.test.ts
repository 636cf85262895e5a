import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLater, newId } from '../../src/session/record.js';
import type { Position } from '../../src/session/state.js';

const position: fc.Arbitrary<Position> = fc.record({
  id: fc.constantFrom('1', '2'),
  revision: fc.nat(2),
  ended: fc.constantFrom(undefined, 'expired', 'idle', 'signed-out'),
});

test.each<[name: string, later: Position, earlier: Position]>([
  ['the later sign-in', { id: '2', revision: 0 }, { id: '1', revision: 9, ended: 'signed-out' }],
  ['the later refresh', { id: '1', revision: 2 }, { id: '1', revision: 1 }],
  ['an expiry over any refresh', { id: '1', revision: 0, ended: 'expired' }, { id: '1', revision: 5 }],
  ['a sign-out over an expiry', { id: '1', revision: 0, ended: 'signed-out' }, { id: '1', revision: 5, ended: 'idle' }],
])('%s is the later record', (_name, later, earlier) => {
  expect([isLater(later, earlier), isLater(earlier, later)]).toEqual([true, false]);
});

test('all tabs order records in the same way', () => {
  fc.assert(
    fc.property(position, position, position, (a, b, c) => {
      expect(isLater(a, a)).toBe(false);
      if (isLater(a, b)) expect(isLater(b, a)).toBe(false);
      if (isLater(a, b) && isLater(b, c)) expect(isLater(a, c)).toBe(true);
    }),
  );
});

test('the id of a new sign-in is greater than every known one, whatever the clock says', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 42), { minLength: 2, maxLength: 20 }), times => {
      const ids = times.reduce<string[]>((known, now) => [...known, newId(now, known.at(-1) ?? '')], []);
      expect([...ids].sort()).toEqual(ids);
    }),
  );
});
