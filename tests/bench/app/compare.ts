export interface Rounds {
  /** Rounds before the first that counts. */
  readonly warmUps: number;
  readonly rounds: number;
}

/** Milliseconds, by variant and round. */
export type Samples = Record<string, number[]>;

declare const gc: (() => void) | undefined;

const macrotask = () => new Promise(done => setTimeout(done));

/** The names in the order of a round, which begins with another one than the round before. */
export function inTurns(names: readonly string[], round: number): readonly string[] {
  const first = round % names.length;
  return [...names.slice(first), ...names.slice(0, first)];
}

/**
 * Times variants of one thing in turns: each once in a round, the next round beginning with the next of them.
 *
 * @param variants Each prepares itself, and resolves with the milliseconds of what is to be timed.
 */
export async function compare(
  variants: Record<string, () => number | Promise<number>>,
  { warmUps, rounds }: Rounds,
): Promise<Samples> {
  const names = Object.keys(variants);
  const samples: Samples = Object.fromEntries(names.map(name => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const name of inTurns(names, round + warmUps)) {
      if (typeof gc === 'function') gc();
      await macrotask();
      const ms = await variants[name]!();
      if (round >= 0) samples[name]!.push(ms);
    }
  }
  return samples;
}
