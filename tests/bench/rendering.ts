// What a refresh, a token change and a switch of the user render.
import type { MeasureRun } from './MeasureRun.js';
import { exactly, KIT, timesAs, timesBeside } from './support/checks.js';
import { ratio } from './support/statistics.js';

/** What takes little time is taken several times in a round. */
const TAKES = 5;

export async function rerender({ inPage, warmUps, rounds }: MeasureRun) {
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

export async function token({ inPage }: MeasureRun) {
  const counted = await inPage(page => page.evaluate(() => window.bench.tokenChange()));
  return {
    token: {
      columns: ['', 'rows rendered again at a refresh', 'at a token change'],
      lines: Object.entries(counted).map(([name, { refresh, change }]) => [name, refresh, change] as const),
      checks: [exactly('at a refresh', counted[KIT].refresh, 0), exactly('at a token change', counted[KIT].change, 0)],
    },
  };
}

export async function switchUser({ inPage, server, warmUps, rounds }: MeasureRun) {
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
