import type { DiffStep } from './diffLines.js';

/** Compares two lists as multisets: each expected line takes one equal line that was sent, wherever it stands. */
export function diffLinesInAnyOrder(expected: readonly string[], sent: readonly string[]): DiffStep[] {
  const places = new Map<string, number[]>();
  sent.forEach((line, place) => places.set(line, [...(places.get(line) ?? []), place]));
  const taken = new Set<number>();
  const steps = expected.map((line, place): DiffStep => {
    const found = places.get(line)?.shift();
    if (found === undefined) return { kind: 'missing', expected: place };
    taken.add(found);
    return { kind: 'same', expected: place, sent: found };
  });
  sent.forEach((_, place) => {
    if (!taken.has(place)) steps.push({ kind: 'extra', sent: place });
  });
  return steps;
}
