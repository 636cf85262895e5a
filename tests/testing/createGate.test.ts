import { expect, test } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';

test('an open gate holds nothing', async () => {
  const gate = createGate();
  expect(await gate.pass()).toBe('arrived');
  expect(gate.held).toBe(0);
});

test('`reached` resolves when the first answer waits, and not before', async () => {
  const gate = createGate();
  const release = gate.hold();
  let isReached = false;
  void release.reached.then(() => (isReached = true));
  await Promise.resolve();
  expect(isReached).toBe(false);
  const answer = gate.pass();
  await release.reached;
  expect(gate.held).toBe(1);
  release();
  expect(await answer).toBe('arrived');
  expect(gate.held).toBe(0);
});

test('each hold has a `reached` of its own', async () => {
  const gate = createGate();
  const first = gate.hold();
  const earlier = gate.pass();
  await first.reached;
  first('lost');
  expect(await earlier).toBe('lost');
  const second = gate.hold();
  expect(second).not.toBe(first);
  let isReached = false;
  void second.reached.then(() => (isReached = true));
  await Promise.resolve();
  expect(isReached).toBe(false);
});

test('a second hold is the first one, and an old release opens no newer hold', async () => {
  const gate = createGate();
  const first = gate.hold();
  expect(gate.hold()).toBe(first);
  first();
  const second = gate.hold();
  const answer = gate.pass();
  first();
  await second.reached;
  expect(gate.held).toBe(1);
  gate.reset();
  expect(await answer).toBe('lost');
});
