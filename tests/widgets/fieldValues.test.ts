import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { changedFields, isExactNumber, toFormValues, toRequestBody } from '../../src/widgets/form/fieldValues.js';
import type { FormField, FormValues } from '../../src/widgets/form/FormField.js';

const options = [
  { value: 1, label: 'Low' },
  { value: true, label: 'Yes' },
  { value: 'red', label: 'Red' },
];
const field = (name: string, more: object = {}) => ({ name, label: name, ...more }) as FormField;

describe('a record becomes the values of inputs', () => {
  test.each<[object, unknown, unknown]>([
    [{}, 'On moths', 'On moths'],
    [{}, 5, '5'],
    [{}, null, ''],
    [{}, { en: 'On moths' }, ''],
    [{ type: 'number' }, 0, '0'],
    [{ type: 'number' }, undefined, ''],
    [{ type: 'checkbox' }, true, true],
    [{ type: 'checkbox' }, 'true', false],
    [{ type: 'select', options }, 1, '1'],
    [{ type: 'radio', options }, true, 'true'],
    [{ type: 'date' }, '2026-11-22T23:30:00Z', '2026-11-22'],
    [{ type: 'date' }, new Date('2026-11-22'), '2026-11-22'],
    [{ type: 'date' }, new Date(Number.NaN), ''],
    [{ type: 'time' }, '14:30:05', '14:30:05'],
    [{ type: 'file' }, 'https://cdn.example.com/ada.png', []],
    [{ type: 'list' }, ['moths', 'note G', 3], ['moths', 'note G', '3']],
    [{ type: 'list' }, ['moths', null, { id: 1 }], ['moths']],
    [{ type: 'list' }, null, []],
    [{ type: 'list' }, 'moths', []],
    [{ type: 'select', multiple: true, options }, [1, 'red'], ['1', 'red']],
    [{ type: 'select', multiple: true, options }, undefined, []],
    [{ type: 'hidden' }, 7, '7'],
    [{ type: 'hidden', value: 8 }, 7, '8'],
  ])('a field %j shows %j as %j', (more, value, shown) => {
    expect(toFormValues([field('x', more)], { x: value })).toEqual({ x: shown });
  });

  test('names with dots lead into objects, and never to what all objects inherit', () => {
    const record = { author: { email: 'ada@example.com', address: null } };
    const names = [
      'author.email',
      'author.address.city',
      'editor.email',
      'constructor.name',
      '__proto__.x',
      'toString',
    ];
    expect(
      toFormValues(
        names.map(name => field(name)),
        record,
      ),
    ).toEqual({
      ...Object.fromEntries(names.map(name => [name, ''])),
      'author.email': 'ada@example.com',
    });
    expect(toFormValues([field('constructor')], { constructor: 'Ferrari' })).toEqual({ constructor: 'Ferrari' });
  });
});

describe('the values become the body of a request', () => {
  test.each<[object, FormValues[string], unknown]>([
    [{}, '', ''],
    [{ type: 'number' }, '2.5', 2.5],
    [{ type: 'number' }, '', null],
    [{ type: 'date' }, '2026-11-22', '2026-11-22'],
    [{ type: 'date' }, '', null],
    [{ type: 'time' }, '', null],
    [{ type: 'datetime-local' }, '', null],
    [{ type: 'select', options }, '1', 1],
    [{ type: 'select', options }, '', null],
    [{ type: 'radio', options }, 'true', true],
    [{ type: 'list' }, [' moths ', '', 'note G', ''], ['moths', 'note G']],
    [{ type: 'list' }, [], []],
    [{ type: 'select', multiple: true, options }, ['1', 'true', 'red'], [1, true, 'red']],
    [{ type: 'select', multiple: true, options }, [], []],
    [{ type: 'checkbox' }, false, false],
    [{ type: 'hidden', value: 5 }, '5', 5],
    [{ type: 'hidden', value: null }, '', null],
  ])('a field %j with %j sends %j', (more, value, sent) => {
    expect(toRequestBody([field('x', more)], { x: value })).toEqual({ x: sent });
  });

  test('a value of the record that is no option any more is sent as it came, and so is a hidden field', () => {
    const fields = [
      field('priority', { type: 'select', options }),
      field('rooms', { type: 'select', multiple: true, options }),
      field('version', { type: 'hidden' }),
    ];
    const initial = { priority: 9, rooms: [9, 1], version: 3 };
    expect(toRequestBody(fields, toFormValues(fields, initial), { initial })).toEqual(initial);
  });

  test('a value of a class is shown as text, and sent back as text of the same value', () => {
    const big = (digits: string) => ({ c: [1], e: 3, toJSON: () => digits });
    const initial = { price: big('1234567890.123456789'), day: big('2026-11-22') };
    const fields = [field('price', { type: 'number', step: 'any' }), field('day', { type: 'date' })];
    const values = toFormValues(fields, initial);
    expect(values).toEqual({ price: '1234567890.123456789', day: '2026-11-22' });
    expect(toRequestBody(fields, values, { initial })).toEqual({ price: '1234567890.123456789', day: '2026-11-22' });
  });

  test('what is no number for JavaScript is sent as it was typed', () => {
    const sent = (text: string, initial?: object) =>
      toRequestBody([field('n', { type: 'number' })], { n: text }, { initial });
    expect([sent('abc'), sent('9007199254740993'), sent('12.50', { n: 9007199254740993n })]).toEqual([
      { n: 'abc' },
      { n: '9007199254740993' },
      { n: 12.5 },
    ]);
    const money = { n: { toString: () => '12.50' } };
    expect(toFormValues([field('n')], money)).toEqual({ n: '12.50' });
  });

  test('a number is exact where JavaScript holds each of its digits, however it is written', () => {
    for (const text of ['', '0', '-0.0', '42', '1.50', '0.1', '1e3', '.5', '12345678901234567890e0'.slice(0, 15)])
      expect([text, isExactNumber(text)]).toEqual([text, true]);
    for (const text of ['9007199254740993', '0.12345678901234567890', '1e400', '-9007199254740993'])
      expect([text, isExactNumber(text)]).toEqual([text, false]);
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => isExactNumber(String(number))),
    );
  });

  test('a number in a name makes a list', () => {
    const fields = [field('lines.0.text'), field('lines.1.text'), field('names.0')];
    const values = { 'lines.0.text': 'a', 'lines.1.text': 'b', 'names.0': 'c' };
    expect(toRequestBody(fields, values)).toEqual({ lines: [{ text: 'a' }, { text: 'b' }], names: ['c'] });
    const initial = { lines: [{ text: 'x', id: 1 }] };
    // A PATCH has the other entries too: a list is replaced as a whole.
    const two = {
      lines: [
        { text: 'x', id: 1 },
        { text: 'y', id: 2 },
      ],
    };
    expect(toRequestBody(fields, values, { sent: [fields[1]!], initial: two })).toEqual({
      lines: [
        { text: 'x', id: 1 },
        { text: 'b', id: 2 },
      ],
    });
    expect(toRequestBody(fields.slice(0, 2), values, { base: initial })).toEqual({
      lines: [{ text: 'a', id: 1 }, { text: 'b' }],
    });
  });

  test('an inner field changes a copy of the object, and leaves the record as it is', () => {
    const initial = Object.freeze({ id: '7', author: Object.freeze({ name: 'Ada', email: 'a@b' }), tags: ['x', 'y'] });
    const fields = [field('author.email'), field('editor.address.city'), field('tags.1')];
    const values = { 'author.email': 'ada@example.com', 'editor.address.city': 'London', 'tags.1': 'z' };
    expect(toRequestBody(fields, values, { base: initial })).toEqual({
      id: '7',
      author: { name: 'Ada', email: 'ada@example.com' },
      editor: { address: { city: 'London' } },
      tags: ['x', 'z'],
    });
    expect(initial).toEqual({ id: '7', author: { name: 'Ada', email: 'a@b' }, tags: ['x', 'y'] });
  });

  test('only the fields to send are sent, and all hidden ones', () => {
    const title = field('title');
    const fields = [title, field('content'), field('version', { type: 'hidden', value: 3 })];
    expect(toRequestBody(fields, { title: 'a', content: 'b' }, { sent: [title] })).toEqual({ title: 'a', version: 3 });
  });

  test.each(['__proto__.polluted', 'constructor.prototype.polluted', 'a.__proto__.polluted', '__proto__'])(
    'the name %s pollutes no other object',
    name => {
      const body = toRequestBody([field(name)], { [name]: 'yes' }, { base: { a: {} } });
      expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
      expect('polluted' in body).toBe(false);
      expect('polluted' in {}).toBe(false);
    },
  );
});

describe('a moment', () => {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  afterEach(() => {
    process.env.TZ = timeZone;
  });

  test.each([
    ['Europe/Berlin', '2026-11-22T13:30:00Z', '2026-11-22T14:30'],
    ['Europe/Berlin', '2026-07-01T12:30:00.000Z', '2026-07-01T14:30'],
    ['America/New_York', '2026-11-22T03:30:00+01:00', '2026-11-21T21:30'],
    ['America/New_York', '2026-11-22T03:30', '2026-11-22T03:30'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01T00:00'],
    ['America/St_Johns', '2026-11-22T13:30:00Z', '2026-11-22T10:00'],
    ['Europe/Berlin', '1885-11-22T11:06:32Z', '1885-11-22T12:00'],
    ['Europe/Berlin', '0001-01-01T11:06:32Z', '0001-01-01T12:00'],
    ['UTC', new Date('2026-11-22T13:30:00Z'), '2026-11-22T13:30'],
    ['UTC', 'soon', ''],
  ])(
    'in %s, the record has %s and the input %s, which is the same moment again when it is sent',
    (zone, moment, shown) => {
      process.env.TZ = zone;
      const fields = [field('at', { type: 'datetime-local' })];
      const values = toFormValues(fields, { at: moment });
      expect(values).toEqual({ at: shown });
      if (shown === '') return;
      expect(toRequestBody(fields, values)).toEqual({ at: new Date(moment).toISOString() });
    },
  );

  test('with a step, seconds are shown', () => {
    process.env.TZ = 'UTC';
    expect(toFormValues([field('at', { type: 'datetime-local', step: 1 })], { at: '2026-11-22T13:30:05Z' })).toEqual({
      at: '2026-11-22T13:30:05',
    });
  });
});

describe('a form with a file field', () => {
  const photo = new File(['photo'], 'ada.png', { type: 'image/png' });
  const photos = field('photos', { type: 'file', multiple: true });
  const cover = field('cover', { type: 'file' });

  test('sends FormData, spelled as an HTML form would', () => {
    const fields = [
      field('title'),
      field('author.email'),
      field('pages', { type: 'number' }),
      field('isLent', { type: 'checkbox' }),
      field('tags', { type: 'list' }),
      field('rooms', { type: 'select', multiple: true, options }),
      cover,
      photos,
    ];
    const values = {
      title: 'On moths',
      'author.email': 'a@b',
      pages: '',
      isLent: true,
      tags: ['moths', 'note G'],
      rooms: ['1', 'true'],
      cover: [photo],
      photos: [photo, photo],
    };
    const body = toRequestBody(fields, values) as FormData;
    expect([...body]).toEqual([
      ['title', 'On moths'],
      ['author.email', 'a@b'],
      ['pages', ''],
      ['isLent', 'true'],
      ['tags', 'moths'],
      ['tags', 'note G'],
      ['rooms', '1'],
      ['rooms', 'true'],
      ['cover', photo],
      ['photos', photo],
      ['photos', photo],
    ]);
  });

  test('sends FormData without a file too, and never the address of a file that the record has', () => {
    const initial = {
      id: 7,
      cover: '/covers/7.png',
      tags: ['x', 'y'],
      authors: [{ name: 'Ada' }],
      at: new Date('2026-11-22T13:30:00Z'),
      gone: undefined,
    };
    const title = field('title');
    const body = toRequestBody(
      [title, cover],
      { title: 'On moths', cover: [] },
      { sent: [title], initial, base: initial },
    );
    expect([...(body as FormData)]).toEqual([
      ['id', '7'],
      ['tags', 'x'],
      ['tags', 'y'],
      ['authors.0.name', 'Ada'],
      ['at', '2026-11-22T13:30:00.000Z'],
      ['title', 'On moths'],
    ]);
  });

  test('counts as changed with other files only', () => {
    const fields = [photos];
    expect(changedFields(fields, { photos: [photo] }, { photos: [photo] })).toEqual([]);
    expect(changedFields(fields, { photos: [photo] }, { photos: [] })).toEqual(fields);
    expect(changedFields(fields, { photos: [photo] }, { photos: [new File(['photo'], 'ada.png')] })).toEqual(fields);
  });
});
