import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readReference } from '../../.storybook/reference.js';
import * as errors from '../../src/errors.js';

/** The compiler reads React's and data-client's types. */
const COMPILE_TIMEOUT_MS = 60_000;
const reference = readReference();

const REPORT = 'docs/entries.md';
const report = readFileSync(REPORT, 'utf8');

/** Another test measures the sizes (tests/consumer/entries.test.ts): the report keeps those that it has. */
const sizeOf = (entry: string) => new RegExp(`\`${entry}\`(\n\n\\d+ KB)\n`).exec(report)?.[1] ?? '';
const listOf = (kind: string, names: readonly string[]) =>
  names.length > 0 ? `\n${kind} (${names.length}): ${names.map(name => `\`${name}\``).join(', ')}.\n` : '';

test('docs/entries.md lists what each entry exports: update it with `vitest run -u`, and look at the difference', async () => {
  const sections = reference.entries.map(
    ({ entry, values, types }) =>
      `## \`${entry}\`${sizeOf(entry)}\n${listOf('Values', values)}${listOf('Types', types)}`,
  );
  const [introduction = ''] = report.split('\n## ');
  await expect(`${introduction}\n${sections.join('\n')}`).toMatchFileSnapshot(`../../${REPORT}`);
});

test('the reference has each error of the kit', { timeout: COMPILE_TIMEOUT_MS }, () => {
  const classes = Object.keys(errors).filter(name => /^[A-Z]/.test(name));
  expect(reference.errors.map(({ name }) => name).sort()).toEqual(classes.sort());
  expect(reference.errors.filter(({ text }) => !text)).toEqual([]);
});

test('each function that takes options has them in the reference, also those that they inherit', () => {
  const named = (name: string) => reference.options.find(({ takenBy }) => takenBy.includes(name));
  expect(named('createTokenSession')?.members.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['login', 'refresh?', 'storage?', 'header?', 'profile?', 'extensions?', 'isRefused?']),
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
