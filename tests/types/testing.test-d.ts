import { expectTypeOf, test } from 'vitest';
import { createRequestJournal, type RequestJournal } from '../../src/testing/index.js';

test('a journal is made from what msw sets up, and from nothing else', () => {
  expectTypeOf(createRequestJournal).returns.toEqualTypeOf<RequestJournal>();
  // @ts-expect-error A journal without a worker would record nothing.
  createRequestJournal();
});
