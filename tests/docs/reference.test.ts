import { expect, test } from 'vitest';
import { readReference } from '../../.storybook/reference.js';
import * as kit from '../../src/index.js';

/** The compiler reads React's and data-client's types. */
const COMPILE_TIMEOUT_MS = 60_000;
const reference = readReference();

test('the reference has each error of the kit', { timeout: COMPILE_TIMEOUT_MS }, () => {
  const exported = Object.keys(kit).filter(name => name.endsWith('Error'));
  expect(reference.errors.map(({ name }) => name).sort()).toEqual(exported.sort());
  expect(reference.errors.filter(({ text }) => !text)).toEqual([]);
});

test('each function that takes options has them in the reference, also those that they inherit', () => {
  const named = (name: string) => reference.options.find(({ takenBy }) => takenBy.includes(name));
  expect(named('createTokenSession')?.members.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['login', 'refresh?', 'storage?', 'header?', 'profile?', 'extensions?', 'readToken?']),
  );
  expect(named('tokenAuthHandlers')?.members.find(({ name }) => name === 'oneUseRefresh?')).toMatchObject({
    type: 'boolean',
    defaultValue: 'true',
  });
});

test('each option says what it does', () => {
  const silent = reference.options.flatMap(({ name, members }) =>
    members.filter(({ text, defaultValue }) => !text && !defaultValue).map(member => `${name}.${member.name}`),
  );
  expect(silent).toEqual([]);
});
