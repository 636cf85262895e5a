import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { chromiumOptions } from '../../scripts/chromium.mjs';
import { buildApp } from '../browser/support/buildApp.js';
import type { Rounds } from './app/compare.js';
import type { MeasureRun } from './MeasureRun.js';
import { MEASURES } from './measures.js';
import type { Measured, Result } from './Result.js';
import { benchServer } from './support/benchServer.js';
import { machine, versions } from './support/machine.js';
import { TARGETS } from './targets.js';

const CACHE = 'node_modules/.cache/data-client-auth';
const TIMEOUT_MS = 60_000;

/** Measures all rows, one after the other, in one browser. */
export async function measure(
  rounds: Rounds & Pick<MeasureRun, 'isQuick'>,
  only: string | undefined,
  tell: (line: string) => void,
): Promise<Result> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(process.cwd(), CACHE, 'bench-'));
  const browser = await chromium.launch(chromiumOptions(['--js-flags=--expose-gc']));
  const about = {
    measuredOn: new Date().toISOString().slice(0, 10),
    machine: machine(browser.version()),
    versions: versions(),
    rounds: rounds.rounds,
  };
  await buildApp(join(import.meta.dirname, 'app'), 'production', folder);
  const server = await benchServer(folder);
  const inPage: MeasureRun['inPage'] = async look => {
    const page = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('pageerror', error => tell(`The page reports: ${error.message}`));
    await page.goto(server.url);
    const devtools = await page.context().newCDPSession(page);
    return look(page, devtools).finally(() => page.close());
  };
  try {
    const measured: Record<string, Measured> = {};
    for (const [name, measureRow] of Object.entries(MEASURES)) {
      if (only && only !== name) continue;
      const start = Date.now();
      Object.assign(measured, await measureRow({ ...rounds, server, inPage }));
      tell(`${name.padEnd(9)} ${((Date.now() - start) / 1000).toFixed(1).padStart(6)} s`);
    }
    return { ...about, rows: TARGETS.flatMap(({ row }) => (measured[row] ? [{ row, ...measured[row] }] : [])) };
  } finally {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
