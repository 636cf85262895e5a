import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderPicture } from './picture.js';
import { renderPage } from './render.js';
import { isReached, type Result } from './Result.js';
import { ratio } from './support/statistics.js';
import { TARGETS } from './targets.js';

const docs = (file: string) => readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
const result = JSON.parse(docs('benchmark.json')) as Result;

test('the page is what the generator makes of the result', () => {
  expect(docs('benchmark.md')).toBe(renderPage(result));
});

test('the picture is what the generator makes of the result, for light and dark pages', () => {
  const picture = docs('pictures/benchmark.svg');
  expect(picture).toBe(renderPicture(result));
  expect(picture).toContain('prefers-color-scheme: dark');
});

test('the README and the page show the picture', () => {
  expect(docs('../README.md')).toContain('](docs/pictures/benchmark.svg)');
  expect(docs('benchmark.md')).toContain('](pictures/benchmark.svg)');
});

test('the result has every row of the table of targets, and each was checked', () => {
  expect(result.rows.map(({ row }) => row)).toEqual([
    'rerender',
    'below',
    'token',
    'request',
    'burst',
    'unlucky',
    'switch',
    'append',
    'memory',
    'expiry',
    'coldStart',
    'docsPage',
    'bytes',
  ]);
  expect(TARGETS.map(({ row }) => row)).toEqual(result.rows.map(({ row }) => row));
  expect(result.rows.filter(({ checks, lines }) => checks.length === 0 || lines.length < 2)).toEqual([]);
});

test('a time is the median of at least 15 rounds', () => {
  expect(result.rounds).toBeGreaterThanOrEqual(15);
});

test('a target that is missed says by how much, and why', () => {
  const page = renderPage({
    ...result,
    rows: [
      {
        row: 'append',
        columns: [''],
        lines: [],
        checks: [{ what: 'beside the store alone', measured: 2, unit: 'x', atMost: 1.6 }],
      },
    ],
  });
  expect(page).toContain('0 of 1 targets are reached');
  expect(page).toContain(
    '- missed by 25 %: beside the store alone, 2 x (at most 1.60 x). The list reads the store once',
  );
});

test('a ratio is the median of the ratios of the rounds, with their quartiles', () => {
  expect(ratio([10, 24, 36, 44, 100], [10, 20, 20, 20, 20])).toEqual({ median: 1.8, quartiles: [1.2, 2.2] });
});

test('a target is reached when the upper quartile of the rounds is', () => {
  const check = { what: 'beside the store alone', unit: 'x', atMost: 1.3 } as const;
  expect(isReached({ ...check, measured: 1.2, quartiles: [1.1, 1.3] })).toBe(true);
  expect(isReached({ ...check, measured: 1.2, quartiles: [1.1, 1.4] })).toBe(false);
  const rows = [
    {
      row: 'append',
      columns: [''],
      lines: [],
      checks: [{ ...check, measured: 0.9, quartiles: [0.8, 1.25] as const, atMost: 1 }],
    },
  ];
  expect(renderPage({ ...result, rows })).toContain(
    '- missed by 25 % of its upper quartile: beside the store alone, 0.90 x, quartiles 0.80 to 1.25 (at most 1 x).',
  );
});

test('each missed target has its cause written down', () => {
  const missed = result.rows.flatMap(({ row, checks }) =>
    checks.filter(check => !isReached(check)).map(({ what }) => [row, what] as const),
  );
  expect(missed.filter(([row, what]) => !TARGETS.find(target => target.row === row)?.why?.[what])).toEqual([]);
});

test.each(['one token provider', 'everything'])('the ten largest modules of %s are named', entry => {
  const { lines } = result.rows.find(({ row }) => row === 'bytes')!;
  const sizes = lines.flatMap(([name, size = 0]) => (name.startsWith(`${entry}: `) ? [size] : []));
  expect(sizes).toHaveLength(10);
  expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
});
