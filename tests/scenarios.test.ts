import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The numbers of the scenarios that a session must get right. */
const SCENARIOS = Array.from({ length: 60 }, (_, index) => index + 1);

const FOLDERS = ['tests/browser', 'tests/endpoints', 'tests/providers', 'tests/session', 'stories'];

/** The titles that cite a scenario, of tests and of the steps of a story: `'… (scenario 7)'`, `'scenarios 6, 29 and 51: …'`. */
const cited = FOLDERS.flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.(test|stories)\.tsx?$/.test(file))
    .flatMap(file => [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/'[^'\n]*\bscenarios? (\d[\d, and]*)/g)])
    .flatMap(([, list = '']) => list.match(/\d+/g)!.map(Number)),
);

test('each scenario is cited by the title of a test that proves it, and no other number is', () => {
  expect([...new Set(cited)].sort((a, b) => a - b)).toEqual(SCENARIOS);
});
