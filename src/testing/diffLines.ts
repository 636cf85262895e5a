/** One step of a difference. `expected` and `sent` are indexes in the two lists. */
export type DiffStep =
  | { kind: 'same'; expected: number; sent: number }
  | { kind: 'missing'; expected: number }
  | { kind: 'extra'; sent: number };

/** Compares two lists in order, by their longest common subsequence: one extra line does not make the following lines differ. */
export function diffLines(expected: readonly string[], sent: readonly string[]): DiffStep[] {
  const width = sent.length + 1;
  const longest = new Uint32Array((expected.length + 1) * width);
  const at = (e: number, s: number) => longest[e * width + s] ?? 0;
  for (let e = expected.length - 1; e >= 0; e--) {
    for (let s = sent.length - 1; s >= 0; s--) {
      longest[e * width + s] = expected[e] === sent[s] ? at(e + 1, s + 1) + 1 : Math.max(at(e + 1, s), at(e, s + 1));
    }
  }
  const steps: DiffStep[] = [];
  let e = 0;
  let s = 0;
  while (e < expected.length || s < sent.length) {
    if (e < expected.length && s < sent.length && expected[e] === sent[s]) {
      steps.push({ kind: 'same', expected: e++, sent: s++ });
    } else if (e < expected.length && (s === sent.length || at(e + 1, s) >= at(e, s + 1))) {
      steps.push({ kind: 'missing', expected: e++ });
    } else {
      steps.push({ kind: 'extra', sent: s++ });
    }
  }
  return steps;
}

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
