import { expect, test } from 'vitest';
import { placeErrors } from '../../src/widgets/placeErrors.js';

const fields = [
  { name: 'title', label: 'Title' },
  { name: 'tags', label: 'Tags' },
];

test('an error stands at the field that its path names or begins with, in whichever case', () => {
  const { atFields, elsewhere } = placeErrors(fields, { Title: ['Too short.', 'Taken.'], 'tags.0.label': ['Too long.'] });
  expect([...atFields]).toEqual([
    ['title', 'Too short. Taken.'],
    ['tags', 'Too long.'],
  ]);
  expect(elsewhere).toEqual([]);
});

test('an error of no field of the form stands elsewhere, with the name that the server has for it', () => {
  const { atFields, elsewhere } = placeErrors(fields, { '': ['Not both.'], slug: ['Taken.'] });
  expect(atFields.size).toBe(0);
  expect(elsewhere).toEqual(['Not both.', 'slug: Taken.']);
});
