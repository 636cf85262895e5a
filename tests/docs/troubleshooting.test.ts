import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSentences } from '../../.storybook/reference.js';
import * as errors from '../../src/errors.js';
import { STORIES } from './support/pages.js';

const text = readFileSync(new URL('guides/Troubleshooting.mdx', STORIES), 'utf8');
const rows = [...text.matchAll(/^\| (?!---|you read)(.*) \|$/gm)].map(([, row = '']) => row.split(/ +\| /));

test('each row has what one reads or sees, the cause and the remedy', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter(cells => cells.length !== 3 || cells.some(cell => !cell.trim()))).toEqual([]);
});

test('the kit says the sentences and has the errors that the table names', () => {
  const named = rows.flatMap(([says = '']) => /^`([^`]+)`(?: \(`(\w+Error)`\))?/.exec(says)?.slice(1) ?? []);
  const said = [...readSentences(), ...Object.keys(errors)];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(name => name && !said.some(sentence => sentence.includes(name)))).toEqual([]);
});
