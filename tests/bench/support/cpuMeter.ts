import type { CDPSession } from 'playwright';

/** Reads the CPU time of the page's main thread, in milliseconds: unlike the time on the clock, it does not count other programs. */
export async function cpuMeter(devtools: CDPSession): Promise<() => Promise<number>> {
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () =>
    (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ThreadTime')!.value * 1_000;
}
