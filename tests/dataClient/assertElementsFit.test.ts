import { createElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';

/** The check, in an app with this boundary of data-client. */
async function checkWith(AsyncBoundary: object) {
  vi.doMock('@data-client/react', () => ({ AsyncBoundary }));
  vi.resetModules();
  return import('../../src/dataClient/assertElementsFit.js');
}

afterEach(() => {
  vi.doUnmock('@data-client/react');
  vi.resetModules();
});

test('the installed data-client and React fit', async () => {
  const { assertElementsFit } = await import('../../src/dataClient/assertElementsFit.js');
  expect(() => assertElementsFit()).not.toThrow();
});

test('elements of another kind than React’s own throw an error with the remedy', async () => {
  const { assertElementsFit } = await checkWith({
    type: () => ({ ...createElement('i'), $$typeof: Symbol('of another React') }),
  });
  expect(() => assertElementsFit()).toThrow(
    'The installed @data-client/react creates elements that the installed React refuses. React 19 needs @data-client/react and @data-client/rest 0.18: update them, or install React 18.',
  );
});

test('a boundary that is not held by `memo` is not checked', async () => {
  const { assertElementsFit } = await checkWith({});
  expect(() => assertElementsFit()).not.toThrow();
});
