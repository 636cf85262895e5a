import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { chromiumOptions } from '../../scripts/chromium-options.mjs';
import { buildApp } from '../browser/support/buildApp.js';
import { compare, inTurns, type Rounds } from './app/compare.js';
import { docsPage } from './docsPage.js';
import { append, coldStart, expiry, memory } from './mounted.js';
import type { Check, Measured, Result } from './Result.js';
import type { MeasureRun } from './MeasureRun.js';
import { benchServer, type Rules } from './support/benchServer.js';
import { bundle } from './support/bundle.js';
import { exactly, KIT, timesAs, timesBeside } from './support/checks.js';
import { cpuMeter } from './support/cpuMeter.js';
import { machine, versions } from './support/machine.js';
import { median, ratio } from './support/statistics.js';
import { TARGETS } from './targets.js';

const CACHE = 'node_modules/.cache/data-client-auth';
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

const MEASURES: Record<string, (run: MeasureRun) => Promise<Record<string, Measured>>> = {
  rerender,
  token,
  request,
  burst,
  unlucky,
  switch: switchUser,
  append,
  memory,
  expiry,
  coldStart,
  docsPage,
  bytes,
};

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

async function rerender({ inPage, warmUps, rounds }: MeasureRun) {
  const at = (count: number, takes: number) =>
    inPage(page =>
      page.evaluate(([count, rounds]) => window.bench.rerender(count, rounds), [
        count,
        { warmUps, rounds, takes },
      ] as const),
    );
  const small = await at(1_000, TAKES);
  const large = await at(10_000, 1);
  const few = timesBeside('plain rows', small.samples, '1,000: ');
  const many = timesBeside('plain rows', large.samples, '10,000: ');
  const x = ({ samples }: typeof small) => ratio(samples[KIT]!, samples['plain rows with three useContext']!);
  const again = Object.entries(small.again);
  return {
    rerender: {
      columns: few.columns,
      lines: [...few.lines, ...many.lines],
      checks: [
        timesAs('1,000 rows, beside three useContext', x(small), 1.05),
        timesAs('10,000 rows, beside three useContext', x(large), 1.05),
      ],
    },
    below: {
      columns: ['', 'memo children rendered again', 'effects run again'],
      lines: again.map(([name, { buttons, effects }]) => [name, buttons, effects] as const),
      checks: [
        exactly('memo children', small.again[KIT]!.buttons, 0),
        exactly('effects', small.again[KIT]!.effects, 0),
      ],
    },
  };
}

async function token({ inPage }: MeasureRun) {
  const counted = await inPage(page => page.evaluate(() => window.bench.tokenChange()));
  return {
    token: {
      columns: ['', 'rows rendered again at a refresh', 'at a token change'],
      lines: Object.entries(counted).map(([name, { refresh, change }]) => [name, refresh, change] as const),
      checks: [exactly('at a refresh', counted[KIT].refresh, 0), exactly('at a token change', counted[KIT].change, 0)],
    },
  };
}

async function request({ inPage, server, warmUps, rounds }: MeasureRun) {
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

async function burst({ inPage, server, warmUps, rounds }: MeasureRun) {
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

async function unlucky({ inPage, server, rounds }: MeasureRun) {
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

async function switchUser({ inPage, server, warmUps, rounds }: MeasureRun) {
  const { base } = server.open({ accepts: 'any' });
  const samples = await inPage(page =>
    page.evaluate(([base, rounds]) => window.bench.switchUser(base, rounds), [
      base,
      { warmUps, rounds, takes: TAKES },
    ] as const),
  );
  return {
    switch: {
      ...timesBeside('plain remount', samples),
      checks: [timesAs('beside a plain remount', ratio(samples[KIT]!, samples['plain remount']!), 1.15)],
    },
  };
}

async function bytes() {
  const [react, dataClient, virtualizer] = [/^react(-dom)?($|\/)/, /^@data-client\//, /^@tanstack\//];
  const kit = (...names: string[]) => [
    { from: join(import.meta.dirname, '../../src/index.ts'), ...(names.length > 0 && { names }) },
  ];
  const providers = ['TokenAuthProvider', 'CookieAuthProvider', 'ContextTokenProvider', 'hookifyResource'];
  const one = ['TokenAuthProvider', 'createTokenSession', 'resource', 'hookifyResource', 'useAuth'];
  const sizes = {
    'one token provider, its session, resource, hookifyResource, useAuth': await bundle(kit(...one), [
      react,
      dataClient,
      virtualizer,
    ]),
    'the three providers + hookifyResource': await bundle(kit(...providers), [react, dataClient, virtualizer]),
    'the same with resource, useAuth and both kinds of session': await bundle(
      kit(...providers, 'resource', 'useAuth', 'createTokenSession', 'createCookieSession'),
      [react, dataClient, virtualizer],
    ),
    'everything, without the virtualizer': await bundle(kit(), [react, dataClient, virtualizer]),
    'everything, with the virtualizer': await bundle(kit(), [react, dataClient]),
    'react-oidc-context + oidc-client-ts': await bundle(
      [
        { from: 'react-oidc-context', names: ['AuthProvider', 'useAuth'] },
        { from: 'oidc-client-ts', names: ['UserManager'] },
      ],
      [react],
    ),
    'auth0-spa-js': await bundle([{ from: '@auth0/auth0-spa-js', names: ['Auth0Client'] }], [react]),
  };
  const kb = (name: keyof typeof sizes) => sizes[name].bytes / 1024;
  const names = Object.keys(sizes) as (keyof typeof sizes)[];
  const size = (what: keyof typeof sizes, atMost: number): Check => ({ what, measured: kb(what), unit: 'KB', atMost });
  return {
    bytes: {
      columns: ['', 'KB after gzip'],
      lines: [
        ...names.map(name => [name, kb(name)] as const),
        ...[names[0]!, names[3]!].flatMap(name =>
          sizes[name].largest.map(([path, bytes]) => [`${name.split(',')[0]}: \`${path}\``, bytes / 1024] as const),
        ),
      ],
      checks: [
        size('one token provider, its session, resource, hookifyResource, useAuth', 9),
        size('the three providers + hookifyResource', 7.5),
        size('everything, without the virtualizer', 22),
      ],
    },
  };
}
