import { expect, test } from 'vitest';
import { keepIfEqual } from '../src/keepIfEqual.js';

test.each([
  ['equal fields', { a: 1, b: NaN }, { a: 1, b: NaN }, true],
  ['another value', { a: 1 }, { a: 2 }, false],
  ['a field more', { a: 1 }, { a: 1, b: undefined }, false],
  ['a field less', { a: 1, b: undefined }, { a: 1 }, false],
  ['an equal object inside', { a: {} }, { a: {} }, false],
  ['nothing before', undefined, { a: 1 }, false],
  ['nothing after', { a: 1 }, undefined, false],
])('%s', (_, before, after, isKept) => {
  expect(keepIfEqual<unknown>(before, after)).toBe(isKept ? before : after);
});
