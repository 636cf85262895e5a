import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderPage } from './render.js';
import { isReached, type Result } from './Result.js';
import { TARGETS } from './targets.js';

const docs = (file: string) => readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
const result = JSON.parse(docs('benchmark.json')) as Result;

test('the page is what the generator makes of the result', () => {
  expect(docs('benchmark.md')).toBe(renderPage(result));
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
    'bytes',
  ]);
  expect(TARGETS.map(({ row }) => row)).toEqual(result.rows.map(({ row }) => row));
  expect(result.rows.filter(({ checks, lines }) => checks.length === 0 || lines.length < 2)).toEqual([]);
});

test('a time is the median of at least nine rounds', () => {
  expect(result.rounds).toBeGreaterThanOrEqual(9);
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

test('each missed target has its cause written down', () => {
  const missed = result.rows.flatMap(({ row, checks }) =>
    checks.filter(check => !isReached(check)).map(({ what }) => [row, what] as const),
  );
  expect(missed.filter(([row, what]) => !TARGETS.find(target => target.row === row)?.why?.[what])).toEqual([]);
});
