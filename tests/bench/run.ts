import { readFileSync, writeFileSync } from 'node:fs';
import { measure } from './measure.js';
import { renderPicture } from './picture.js';
import { renderPage, renderText } from './render.js';
import type { Result } from './Result.js';
import { TARGETS } from './targets.js';

const JSON_FILE = 'docs/benchmark.json';
const PAGE = 'docs/benchmark.md';
const PICTURE = 'docs/pictures/benchmark.svg';

const FULL = { warmUps: 2, rounds: 15, isQuick: false };
const QUICK = { warmUps: 1, rounds: 3, isQuick: true };

interface Options {
  /** Three rounds, and nothing is written. */
  quick: boolean;
  /** Measures nothing, and writes the page of the last result again. */
  page: boolean;
  /** The one row to measure; nothing is written, except with `keep`. */
  only: string | undefined;
  /** With `only`: the row takes its place in the last result, and the page is written. */
  keep: boolean;
}

/** Measures, prints the table, and keeps result and page. */
export async function run({ quick, page, only, keep }: Options): Promise<void> {
  if (!page) {
    const result = await measure(quick ? QUICK : FULL, only, console.log);
    console.log(`\n${renderText(result)}\n`);
    if (quick || (only && !keep)) return;
    const rounded = (_: string, value: unknown) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
    writeFileSync(JSON_FILE, `${JSON.stringify(only ? withRowsOf(result) : result, rounded, 1)}\n`);
  }
  const result = lastResult();
  writeFileSync(PAGE, renderPage(result));
  writeFileSync(PICTURE, renderPicture(result));
}

function lastResult(): Result {
  return JSON.parse(readFileSync(JSON_FILE, 'utf8')) as Result;
}

/** The last result, with newer rows in their places. */
function withRowsOf({ rows }: Result): Result {
  const last = lastResult();
  const all = TARGETS.flatMap(({ row }) => [...rows, ...last.rows].find(({ row: name }) => name === row) ?? []);
  return { ...last, rows: all };
}
