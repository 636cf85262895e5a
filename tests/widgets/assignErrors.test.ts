import { expect, test } from 'vitest';
import { assignErrors, readErrors } from '../../src/widgets/form/fieldErrors.js';
import type { FormField } from '../../src/widgets/form/FormField.js';

const fields = [
  { name: 'title', label: 'Title' },
  { name: 'tags', label: 'Tags' },
];

test('an error stands at the field that its path names or begins with, in whichever case', () => {
  const { byField, ofForm } = assignErrors(fields, { Title: ['Too short.', 'Taken.'], 'tags.0.label': ['Too long.'] });
  expect([...byField]).toEqual([
    ['title', 'Too short. Taken.'],
    ['tags', 'Too long.'],
  ]);
  expect(ofForm).toEqual([]);
});

test('an error of an inner field stands at the field with the longest name that the path begins with', () => {
  const nested = ['author', 'author.email', 'author.address'].map(name => ({ name, label: name }));
  for (const body of [
    { errors: { 'author.email': ['No address.'], 'author.address.city': ['Unknown.'], 'author.name': ['Too long.'] } },
    { author: { email: ['No address.'], address: { city: ['Unknown.'] }, name: ['Too long.'] } },
    {
      errors: [
        { field: 'author[email]', message: 'No address.' },
        { pointer: '/author/address/city', detail: 'Unknown.' },
        { path: ['author', 'name'], message: 'Too long.' },
      ],
    },
  ])
    expect(Object.fromEntries(assignErrors(nested, readErrors(body, nested)).byField)).toEqual({
      author: 'Too long.',
      'author.email': 'No address.',
      'author.address': 'Unknown.',
    });
});

test('an error of one entry of a list says which', () => {
  const lists: FormField[] = [
    { name: 'tags', label: 'Tags', type: 'list' },
    { name: 'rooms', label: 'Rooms', type: 'select', multiple: true, options: [{ value: 7, label: 'Attic' }] },
    { name: 'photos', label: 'Photos', type: 'file', multiple: true },
  ];
  const values = { tags: ['', 'moths ', 'note G'], rooms: ['9', '7'], photos: [new File([], 'ada.png')] };
  const errors = {
    'tags.0': ['Taken.'],
    'tags.1.name': ['Too long.'],
    'tags.2': ['Beyond the list.'],
    'rooms.1': ['Closed.'],
    'photos.0': ['Too big.'],
    photos: ['One is enough.'],
  };
  expect([...assignErrors(lists, errors, values).byField]).toEqual([
    ['tags', 'moths: Taken. note G: Too long. Beyond the list.'],
    ['rooms', 'Attic: Closed.'],
    ['photos', 'ada.png: Too big. One is enough.'],
  ]);
});

test('a code without a message gets a text of the app', () => {
  const body = { errors: [{ resource: 'Label', field: 'title', code: 'already_exists' }] };
  expect(readErrors(body, fields, code => `Code ${code}`)).toEqual({ title: ['Code already_exists'] });
});

test('an error of no field of the form stands elsewhere, with the name that the server has for it', () => {
  const { byField, ofForm } = assignErrors(fields, { '': ['Not both.'], slug: ['Taken.'] });
  expect(byField.size).toBe(0);
  expect(ofForm).toEqual(['Not both.', 'slug: Taken.']);
});

test('a field that the form does not have is named in words', () => {
  const { ofForm } = assignErrors([], { organisation_id: ['Choose one.'], 'author.lastName': ['Required.'] });
  expect(ofForm).toEqual(['organisation id: Choose one.', 'author last name: Required.']);
});

test('what nobody is to see is shown at a field of the form only', () => {
  const errors = {
    accessToken: ['eyJhbGciOi'],
    'user.Password': ['hunter2'],
    client_secret: ['s3cret'],
    stackTrace: ['at x'],
    title: ['Too short.'],
  };
  expect(assignErrors(fields, errors)).toEqual({ byField: new Map([['title', 'Too short.']]), ofForm: [] });
  expect(
    assignErrors([{ name: 'password', label: 'Password' }], { password: ['Too short.'] }).byField.get('password'),
  ).toBe('Too short.');
});

test('of very many texts the first 20 of a field are shown, and the first 20 of no field', () => {
  const numbers = Array.from({ length: 40_000 }, (_, place) => `${place + 1}.`);
  const parts = Object.fromEntries(numbers.map((text, place) => [`tags.${place}`, [text]]));
  const { byField, ofForm } = assignErrors(fields, { title: numbers, ...parts, slug: numbers, '': numbers });
  const shown = numbers.slice(0, 20);
  expect([...byField]).toEqual([
    ['title', shown.join(' ')],
    ['tags', shown.join(' ')],
  ]);
  expect(ofForm).toEqual(shown.map(text => `slug: ${text}`));
});

test('a text that stands alone is shown where the form has its field, and not in the alert', () => {
  const errors = readErrors(
    { errors: { title: 'Too short.', code: 'E1', at: '/srv/app.js:1', slug: ['Taken.'] }, message: 'Not valid.' },
    fields,
  );
  expect(errors).toEqual({ title: ['Too short.'], slug: ['Taken.'] });
});
