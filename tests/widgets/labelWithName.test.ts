import { expect, test } from 'vitest';
import { ENGLISH_LABELS } from '../../src/widgets/labels/englishLabels.js';
import { labelWithName } from '../../src/widgets/labels/labelWithName.js';

const arabic = (name: string | undefined) => `حُذف «${name ?? ''}».`;

test.each([
  ['English', ENGLISH_LABELS.deleted, 'On moths', '“On moths” is deleted.'],
  ['Japanese and emoji', ENGLISH_LABELS.deleted, '蛾について 👩‍👩‍👧', '“蛾について 👩‍👩‍👧” is deleted.'],
  ['a Hebrew name in English', ENGLISH_LABELS.deleted, 'מה קורה?', '“\u2068מה קורה?\u2069” is deleted.'],
  ['an English name in Arabic', arabic, 'C++', 'حُذف «\u2068C++\u2069».'],
  ['a name in the Adlam script', ENGLISH_LABELS.deleted, '𞤀𞤁!', '“\u2068𞤀𞤁!\u2069” is deleted.'],
  ['no name', arabic, undefined, 'حُذف «».'],
])('the name in a text is isolated where a part is written from right to left: %s', (_, label, name, text) =>
  expect(labelWithName(label, name)).toBe(text),
);
