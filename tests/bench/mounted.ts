import type { CDPSession, Page } from 'playwright';
import { inTurns, type Samples } from './app/compare.js';
import type { Measured } from './Result.js';
import type { MeasureRun } from './MeasureRun.js';
import { exactly, KIT, timesAs, timesBeside } from './support/checks.js';
import { cpuMeter } from './support/cpuMeter.js';
import { ratio } from './support/statistics.js';

const LOADED = [1_000, 10_000, 100_000];
/** All rows of more would be in the document for minutes. */
const MOST_IN_DOCUMENT = 10_000;

/** Appends a page of 100 rows to lists of several lengths. */
export async function append({ inPage, warmUps, rounds }: MeasureRun): Promise<Record<string, Measured>> {
  const base = 'the store alone';
  const list = 'PaginatedList';
  const measured: Record<number, Samples> = {};
  for (const loaded of LOADED) {
    const names = [base, list, ...(loaded === MOST_IN_DOCUMENT ? ['ResourceList, all rows in the document'] : [])];
    const samples: Samples = Object.fromEntries(names.map(name => [name, []]));
    measured[loaded] = samples;
    await inPage(async (page, devtools) => {
      const cpuMs = await cpuMeter(devtools);
      const lists = await page.evaluateHandle(loaded => window.bench.appendPage(loaded), loaded);
      for (let round = -warmUps; round < rounds; round++) {
        for (const name of inTurns(names, round + warmUps)) {
          const shown = await lists.evaluateHandle((lists, name) => lists.show(name), name);
          await page.requestGC();
          const before = await cpuMs();
          await shown.evaluate(list => list.append());
          if (round >= 0) samples[name]!.push((await cpuMs()) - before);
          await shown.evaluate(list => list.unmount());
        }
      }
    });
  }
  const x = (loaded: number) => ratio(measured[loaded]![list]!, measured[loaded]![base]!);
  const tables = LOADED.map(loaded => timesBeside(base, measured[loaded]!, `${loaded.toLocaleString('en')}: `));
  return {
    append: {
      columns: tables[0]!.columns,
      lines: tables.flatMap(({ lines }) => lines),
      checks: [
        timesAs('beside the store alone', x(10_000), 1.3),
        timesAs('100,000 rows, beside the store alone', x(100_000), 1.3),
      ],
    },
  };
}

/** A decile is a tenth of so many. The same number before is for warming up: code that is compiled takes memory, too. */
const REPEATED = { requests: 10_000, 'switches of identity': 1_000, 'mounts of a provider': 1_000 };

/** Listeners of requests that are just ending. One for each repetition would be hundreds. */
const FEW = 10;

/** Looks at the memory while one thing is done again and again. */
export async function memory({ inPage, server, isQuick }: MeasureRun): Promise<Record<string, Measured>> {
  const lines: [string, ...number[]][] = [];
  const checks: Measured['checks'][number][] = [];
  for (const [what, all] of Object.entries(REPEATED)) {
    const count = isQuick ? all / 10 : all;
    const { base } = server.open({ accepts: 'any' });
    for (const name of ['data-client alone', KIT]) {
      const [first, last] = await inPage(async (page, devtools) => {
        const thing = await page.evaluateHandle(([base, what, withKit]) => window.bench.memory(base, what, withKit), [
          base,
          what,
          name === KIT,
        ] as const);
        const again = (times: number) => thing.evaluate((thing, times) => thing.again(times), times);
        await again(count);
        await again(count / 10);
        const first = await inUse(page, devtools);
        await again((count * 9) / 10);
        return [first, await inUse(page, devtools)] as const;
      });
      const x = last.kb / first.kb;
      const title = `${count.toLocaleString('en')} ${what}`;
      const listeners = last.listeners - first.listeners;
      lines.push([`${title}: ${name}`, first.kb, last.kb, x, listeners]);
      if (name === KIT)
        checks.push(
          { what: title, measured: x, unit: 'x', atMost: 1.05 },
          { what: `listeners after ${title}`, measured: listeners, unit: '', atMost: FEW },
        );
    }
  }
  return {
    memory: {
      columns: ['', 'after the first tenth, KB', 'after the last, KB', 'x', 'listeners more'],
      lines,
      checks,
    },
  };
}

/** What is still in use after a collection: the heap, and the listeners of the page. */
async function inUse(page: Page, devtools: CDPSession): Promise<{ kb: number; listeners: number }> {
  // Answers that have just arrived let go of their requests a little later.
  for (let times = 0; times < 3; times++) await page.requestGC();
  const { usedSize } = (await devtools.send('Runtime.getHeapUsage')) as { usedSize: number };
  const { jsEventListeners } = await devtools.send('Memory.getDOMCounters');
  return { kb: usedSize / 1024, listeners: jsEventListeners };
}

const WIDGETS = 1_000;

/** 1,000 mounted widgets read again when the token has expired. */
export async function expiry({ inPage, server, rounds }: MeasureRun): Promise<Record<string, Measured>> {
  const base = 'data-client alone, refreshed by hand';
  const names = [base, KIT];
  const ms: Samples = Object.fromEntries(names.map(name => [name, []]));
  const counts = { refreshes: 0, calls: 0 };
  for (let round = -1; round < rounds; round++) {
    for (const name of inTurns(names, round + 1)) {
      const api = server.open({ accepts: 'current' });
      await inPage(async page => {
        const mounted = await page.evaluateHandle(
          ([base, withKit, count]) => window.bench.expiry(base, withKit, count),
          [api.base, name === KIT, WIDGETS] as const,
        );
        api.expire();
        const before = { ...api.counted };
        const taken = await mounted.evaluate(mounted => mounted.readAgain());
        if (round < 0) return;
        ms[name]!.push(taken);
        if (name !== KIT) return;
        counts.refreshes = Math.max(counts.refreshes, api.counted.refreshes - before.refreshes);
        counts.calls = Math.max(counts.calls, api.counted.calls - before.calls);
      });
    }
  }
  return {
    expiry: {
      ...timesBeside(base, ms),
      checks: [
        exactly('refreshes of 1,000 widgets', counts.refreshes, 1),
        { what: 'calls of 1,000 widgets', measured: counts.calls, unit: '', atMost: 2 * WIDGETS },
        timesAs('until all 1,000 widgets show new data', ratio(ms[KIT]!, ms[base]!), 1.1),
      ],
    },
  };
}

/** How long each answer of the server takes. */
const DELAY_MS = 10;

/** The first row of a page that starts with a cookie. */
export async function coldStart({ inPage, server, warmUps, rounds }: MeasureRun): Promise<Record<string, Measured>> {
  const { base } = server.open({ accepts: 'any', delayMs: DELAY_MS });
  const samples = await inPage(page =>
    page.evaluate(([base, rounds]) => window.bench.coldStart(base, rounds), [
      base,
      { warmUps, rounds, takes: 5 },
    ] as const),
  );
  const [alone, withInitial, afterWhoami, without] = Object.values(samples) as [number[], number[], number[], number[]];
  return {
    coldStart: {
      ...timesBeside('data-client alone', samples),
      checks: [
        timesAs('with `initial`, beside data-client alone', ratio(withInitial, alone), 1.15),
        timesAs('without `initial`, beside data-client after a whoami', ratio(without, afterWhoami), 1.15),
      ],
    },
  };
}
