import { expect, test } from 'vitest';
import { describeError } from '../../src/widgets/labels/describeError.js';

const UNREACHABLE = 'The server could not be reached. Check the connection.';

test('a TypeError with the status that data-client adds to those of fetch is a matter of the connection', () => {
  expect(describeError(Object.assign(new TypeError('Failed to fetch'), { status: 500 }))).toBe(UNREACHABLE);
});

test('a TypeError without a status is an error of the program, and speaks for itself', () => {
  expect(describeError(new TypeError('This session has no login of its own.'))).toBe(
    'This session has no login of its own.',
  );
});

test('an answer is told by its status', () => {
  const answer = (status: number) => Object.assign(new Error('Refused'), { name: 'NetworkError', status });
  expect([403, 418, 503].map(status => describeError(answer(status)))).toEqual([
    'You are not allowed to do this.',
    'The server refused this (418).',
    'The server has a problem. Try again in a while.',
  ]);
});
