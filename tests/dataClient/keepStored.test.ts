import * as dataClient from '@data-client/react';
import { Controller } from '@data-client/react';
import { afterEach, expect, test, vi } from 'vitest';
import { keepStored } from '../../src/dataClient/storedResponses.js';

interface Policy {
  init(controller: object): void;
  cleanup(): void;
  createCountRef(options: { key: string }): () => () => void;
}
const { GCPolicy } = dataClient as unknown as { GCPolicy?: new (options: { intervalMS: number }) => Policy };

const KEY = 'GET /article';

afterEach(() => vi.useRealTimers());

test('a key is counted until it is released', () => {
  const counts = new Map<string, number>();
  const add = (key: string, by: number) => void counts.set(key, (counts.get(key) ?? 0) + by);
  const createCountRef =
    ({ key }: { key: string }) =>
    () => (add(key, 1), () => add(key, -1));
  const release = keepStored(Object.assign(new Controller(), { gcPolicy: { createCountRef } }), KEY);
  expect([...counts]).toEqual([[KEY, 1]]);
  release?.();
  expect([...counts]).toEqual([[KEY, 0]]);
});

test('a store that collects nothing has nothing to count', () => {
  expect(keepStored({} as Controller, KEY)).toBeUndefined();
});

test.skipIf(!GCPolicy)('data-client (0.14 or later) collects an error after it was released, and not before', () => {
  vi.useFakeTimers();
  const gcPolicy = new GCPolicy!({ intervalMS: 1_000 });
  const collected: unknown[] = [];
  const expired = { expiresAt: 0, fetchedAt: 0, date: 0, error: new Error('Refused') };
  const controller = {
    gcPolicy,
    getState: () => ({ meta: { [KEY]: expired }, entitiesMeta: {} }),
    dispatch: ({ endpoints }: { endpoints: string[] }) => collected.push(...endpoints),
  };
  gcPolicy.init(controller);
  // The content that the error replaces: it was counted before.
  const content = keepStored(controller as unknown as Controller, KEY);
  const release = keepStored(controller as unknown as Controller, KEY);
  content?.();
  vi.advanceTimersByTime(3_600_000);
  expect(collected).toEqual([]);
  release?.();
  vi.advanceTimersByTime(3_600_000);
  expect(collected).toEqual([KEY]);
  gcPolicy.cleanup();
});
