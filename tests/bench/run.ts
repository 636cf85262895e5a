import { readFileSync, writeFileSync } from 'node:fs';
import { measure } from './measure.js';
import { renderPage, renderText } from './render.js';
import type { Result } from './Result.js';

const JSON_FILE = 'docs/benchmark.json';
const PAGE = 'docs/benchmark.md';

interface Options {
  /** Three rounds, and nothing is written. */
  quick: boolean;
  /** Measures nothing, and writes the page of the last result again. */
  page: boolean;
  /** The one row to measure; nothing is written. */
  only: string | undefined;
}

/** Measures, prints the table, and keeps result and page. */
export async function run({ quick, page, only }: Options): Promise<void> {
  if (!page) {
    const result = await measure(quick ? { warmUps: 1, rounds: 3 } : { warmUps: 2, rounds: 9 }, only, console.log);
    console.log(`\n${renderText(result)}\n`);
    if (quick || only) return;
    const rounded = (_: string, value: unknown) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
    writeFileSync(JSON_FILE, `${JSON.stringify(result, rounded, 1)}\n`);
  }
  writeFileSync(PAGE, renderPage(JSON.parse(readFileSync(JSON_FILE, 'utf8')) as Result));
}
