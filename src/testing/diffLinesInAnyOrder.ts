import type { DiffStep } from './diffLines.js';

/** Compares two lists as multisets: each expected line matches one equal sent line at any index. */
export function diffLinesInAnyOrder(expected: readonly string[], sent: readonly string[]): DiffStep[] {
  const unmatched = new Map<string, number[]>();
  sent.forEach((line, index) => unmatched.set(line, [...(unmatched.get(line) ?? []), index]));
  const matched = new Set<number>();
  const steps = expected.map((line, index): DiffStep => {
    const found = unmatched.get(line)?.shift();
    if (found === undefined) return { kind: 'missing', expected: index };
    matched.add(found);
    return { kind: 'same', expected: index, sent: found };
  });
  sent.forEach((_, index) => {
    if (!matched.has(index)) steps.push({ kind: 'extra', sent: index });
  });
  return steps;
}
