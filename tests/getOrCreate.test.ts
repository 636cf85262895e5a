import { expect, test, vi } from 'vitest';
import { getOrCreate } from '../src/getOrCreate.js';

test('a value is created once for each key, also one that counts as false', () => {
  const values = new Map<string, number>();
  const create = vi.fn(() => 0);
  expect([getOrCreate(values, 'a', create), getOrCreate(values, 'a', create)]).toEqual([0, 0]);
  expect(create).toHaveBeenCalledTimes(1);
  getOrCreate(values, 'b', create);
  expect(create).toHaveBeenCalledTimes(2);
});

test('where the creation throws, the next call creates the value', () => {
  const values = new Map<string, object>();
  const refuse = () => {
    throw new Error('Not now.');
  };
  expect(() => getOrCreate(values, 'a', refuse)).toThrow('Not now.');
  const value = {};
  expect(getOrCreate(values, 'a', () => value)).toBe(value);
});
