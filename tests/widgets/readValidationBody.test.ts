import { expect, test } from 'vitest';
import type { Clock } from '../../src/clock.js';
import { readValidationBody } from '../../src/widgets/form/fieldErrors.js';

const refused = (body: BodyInit | null, status = 422) =>
  Object.assign(new Error('Refused'), { response: new Response(body, { status }) });

test('the JSON of a refusal is read, and the answer can be read again', async () => {
  const error = refused('{"errors":{"title":["Too short."]}}');
  expect(await readValidationBody(error)).toEqual({ errors: { title: ['Too short.'] } });
  expect(await error.response.json()).toEqual({ errors: { title: ['Too short.'] } });
});

test('HTML, nothing, an answer that was read before, other statuses and other errors tell nothing', async () => {
  const read = refused('{}');
  await read.response.text();
  const others = [
    refused('<!doctype html>'),
    refused(null),
    read,
    refused('{}', 500),
    refused('{}', 401),
    new TypeError('Failed to fetch'),
    undefined,
    'refused',
  ];
  expect(await Promise.all(others.map(error => readValidationBody(error)))).toEqual(others.map(() => undefined));
});

test('of all error statuses, only 400, 409 and 422 reject what was typed into a form', async () => {
  const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
  const bodies = await Promise.all(
    statuses.map(status => readValidationBody(refused('{"title":["Too short."]}', status))),
  );
  expect(statuses.filter((_, index) => bodies[index] !== undefined)).toEqual([400, 409, 422]);
});

test('an answer that never ends is waited for 2 s, and tells nothing then', async () => {
  const timers: [delayMs: number, callback: () => void][] = [];
  const clock: Clock = {
    now: () => 0,
    setTimeout: (callback, delayMs) => {
      timers.push([delayMs, callback]);
      return () => {};
    },
  };
  const reading = readValidationBody(
    refused(new ReadableStream({ start: stream => stream.enqueue(new TextEncoder().encode('{"errors":')) })),
    clock,
  );
  expect(timers.map(([delayMs]) => delayMs)).toEqual([2_000]);
  timers[0]?.[1]();
  expect(await reading).toBeUndefined();
});
