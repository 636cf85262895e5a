// What a request costs, and what many requests send when their token is refused.
import type { Page } from 'playwright';
import { compare, inTurns } from './app/compare.js';
import type { MeasureRun } from './MeasureRun.js';
import type { Rules } from './support/benchServer.js';
import { exactly, KIT, timesAs, timesBeside } from './support/checks.js';
import { cpuMeter } from './support/cpuMeter.js';
import { median, ratio } from './support/statistics.js';

const CLIENTS = [KIT, 'urql authExchange', 'RTK Query mutex recipe', 'alova'];
const BOUND = 'three round trips';

const BURST = Array.from({ length: 200 }, (_, id) => `${id}`);
const TIMEOUT_MS = 60_000;
/** How long a burst may take until each of its requests has an outcome. */
const SETTLES_MS = 5_000;
const WATCHED_MS = 2_000;
const REQUESTS_EACH = 100;

/** What takes little time is taken several times in a round. */
const TAKES = 5;

export async function request({ inPage, server, warmUps, rounds }: MeasureRun) {
  const { base } = server.open({ accepts: 'any' });
  const samples = await inPage(async (page, devtools) => {
    const cpuMs = await cpuMeter(devtools);
    const sender = await page.evaluateHandle(base => window.bench.oneRequest(base), base);
    const names = await sender.evaluate(({ names }) => names);
    const sendAll = (name: string) => async () => {
      await page.requestGC();
      const before = await cpuMs();
      await sender.evaluate((sender, [name, times]) => sender.send(name, times), [name, REQUESTS_EACH] as const);
      return ((await cpuMs()) - before) / REQUESTS_EACH;
    };
    return compare(Object.fromEntries(names.map(name => [name, sendAll(name)])), { warmUps, rounds, takes: TAKES });
  });
  const { median, quartiles } = ratio(samples[KIT]!, samples['bare RestEndpoint']!);
  const added = (x: number) => (x - 1) * 100;
  return {
    request: {
      ...timesBeside('bare RestEndpoint', samples),
      checks: [
        {
          what: 'added CPU time',
          measured: added(median),
          quartiles: [added(quartiles[0]), added(quartiles[1])],
          unit: '%',
          atMost: 5,
        } as const,
      ],
    },
  };
}

/** Has one client send its requests, and counts on the server's side. */
async function once(
  page: Page,
  server: MeasureRun['server'],
  name: string,
  rules: Rules,
  ids: readonly string[],
  { timeoutMs = TIMEOUT_MS, toTheEnd = false } = {},
) {
  const { base, counted } = server.open(rules);
  const tally = await page.evaluate(([name, burst]) => window.bench.burst(name, burst), [
    name,
    { base, ids, timeoutMs, toTheEnd },
  ] as const);
  return { ...tally, ...counted };
}

export async function burst({ inPage, server, warmUps, rounds }: MeasureRun) {
  const names = [BOUND, ...CLIENTS];
  const all: Record<string, Awaited<ReturnType<typeof once>>[]> = Object.fromEntries(names.map(name => [name, []]));
  await inPage(async page => {
    for (let round = -Math.min(warmUps, 1); round < rounds; round++) {
      for (const name of inTurns(names, round + 1)) {
        const seen = await once(page, server, name, { accepts: 'current', delayMs: 10 }, BURST, {
          timeoutMs: SETTLES_MS,
        });
        if (round >= 0) all[name]!.push(seen);
      }
    }
  });
  const of = (name: string, field: 'ms' | 'refreshes' | 'calls' | 'answered') => all[name]!.map(seen => seen[field]);
  const x = (name: string) => ratio(of(name, 'ms'), of(BOUND, 'ms'));
  return {
    burst: {
      columns: [
        '',
        'refreshes',
        'calls',
        'answered',
        'time to last result, ms',
        'x the bound',
        'lower quartile',
        'upper quartile',
      ],
      lines: names.map(
        name =>
          [
            name,
            median(of(name, 'refreshes')),
            median(of(name, 'calls')),
            median(of(name, 'answered')),
            median(of(name, 'ms')),
            x(name).median,
            ...x(name).quartiles,
          ] as const,
      ),
      checks: [
        exactly('refreshes', Math.max(...of(KIT, 'refreshes')), 1),
        exactly('calls', Math.max(...of(KIT, 'calls')), 2 * BURST.length),
        exactly('answered', Math.min(...of(KIT, 'answered')), BURST.length),
        timesAs('time, beside the bound', x(KIT), 1.1),
      ],
    },
  };
}

export async function unlucky({ inPage, server, rounds }: MeasureRun) {
  const worst = { lateRefreshes: 0, settled: BURST.length, replays: 0, persistentCalls: 0, persistentRefreshes: 0 };
  const seen = Object.fromEntries(CLIENTS.map(name => [name, { ...worst }]));
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    for (const [name, so] of Object.entries(seen)) {
      // Each in a tab of its own: some go on asking for ever.
      const look = (rules: Rules, ids: readonly string[], watched?: { timeoutMs: number; toTheEnd?: boolean }) =>
        inPage(page => once(page, server, name, rules, ids, watched));
      const late = await look({ accepts: 'current', lateMs: { id: 'late', ms: 100 } }, ['first', 'late']);
      const refused = await look({ accepts: 'current', renews: false }, BURST, { timeoutMs: SETTLES_MS });
      const persistent = await look({ accepts: 'none' }, BURST, { timeoutMs: WATCHED_MS, toTheEnd: true });
      so.lateRefreshes = Math.max(so.lateRefreshes, late.refreshes);
      so.settled = Math.min(so.settled, refused.answered + refused.refused);
      so.replays = Math.max(so.replays, refused.calls - BURST.length);
      so.persistentCalls = Math.max(so.persistentCalls, persistent.calls);
      so.persistentRefreshes = Math.max(so.persistentRefreshes, persistent.refreshes);
    }
  }
  const kit = seen[KIT]!;
  return {
    unlucky: {
      columns: [
        '',
        'late 401: refreshes',
        'refusal: settled',
        'refusal: replays in vain',
        'persistent: calls',
        'persistent: refreshes',
      ],
      lines: CLIENTS.map(name => [name, ...Object.values(seen[name]!)] as const),
      checks: [
        exactly('refreshes after a late 401', kit.lateRefreshes, 1),
        exactly('settled after a refusal', kit.settled, BURST.length),
        { what: 'calls in 2 s of 401s', measured: kit.persistentCalls, unit: '', atMost: 2 * BURST.length } as const,
      ],
    },
  };
}
