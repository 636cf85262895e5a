import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readErrors } from '../../src/widgets/form/fieldErrors.js';

const fieldErrors = (body: unknown) => readErrors(body);

/** What each server answers with, as its documentation shows it. */
const ANSWERS: [server: string, answer: unknown, told: unknown][] = [
  [
    'Laravel',
    {
      message: 'The title field is required. (and 1 more error)',
      errors: { title: ['Required.'], 'author.name': ['Too long.'] },
    },
    { title: ['Required.'], 'author.name': ['Too long.'] },
  ],
  [
    'Rails',
    { errors: { title: ["can't be blank", 'is too short'], base: ['Nothing was written.'] } },
    { title: ["can't be blank", 'is too short'], '': ['Nothing was written.'] },
  ],
  ['Rails, with the errors as they are', { title: ["can't be blank"] }, { title: ["can't be blank"] }],
  ['Rails, in full sentences', { errors: ["Title can't be blank"] }, { '': ["Title can't be blank"] }],
  ['Phoenix', { errors: { title: ["can't be blank"] } }, { title: ["can't be blank"] }],
  ['Phoenix, of no field', { errors: { detail: 'Unprocessable Entity' } }, { '': ['Unprocessable Entity'] }],
  [
    'Django REST framework',
    { title: ['This field is required.'], non_field_errors: ['Not both.'] },
    { title: ['This field is required.'], '': ['Not both.'] },
  ],
  [
    'Django REST framework, nested',
    { author: { name: ['Too long.'] }, tags: [{}, { label: ['Taken.'] }] },
    { 'author.name': ['Too long.'], 'tags.1.label': ['Taken.'] },
  ],
  [
    'Django REST framework, a list of texts',
    { tags: { 1: ['May not be blank.'] }, aliases: [[], ['Too long.']] },
    { 'tags.1': ['May not be blank.'], 'aliases.1': ['Too long.'] },
  ],
  ['Django REST framework, of no field', { detail: 'JSON parse error' }, { '': ['JSON parse error'] }],
  [
    'Django forms',
    { title: [{ message: 'Required.', code: 'required' }], __all__: [{ message: 'Not both.', code: '' }] },
    { title: ['Required.'], '': ['Not both.'] },
  ],
  [
    'RFC 9457',
    {
      type: 'https://example.net/validation-error',
      title: 'Your request is not valid.',
      errors: [
        { detail: 'Not positive.', pointer: '#/age' },
        { detail: 'No colour.', pointer: '#/profile/color' },
      ],
    },
    { age: ['Not positive.'], 'profile.color': ['No colour.'] },
  ],
  [
    'RFC 9457, without errors',
    { title: 'Not valid.', status: 422, detail: 'The balance is too low.' },
    { '': ['The balance is too low.'] },
  ],
  [
    'ASP.NET',
    {
      title: 'One or more validation errors occurred.',
      status: 400,
      errors: { Title: ['Required.'], '$.pages': ['No number.'] },
    },
    { Title: ['Required.'], pages: ['No number.'] },
  ],
  [
    'JSON:API',
    {
      errors: [
        { status: '422', source: { pointer: '/data/attributes/title' }, title: 'Invalid', detail: 'Too short.' },
      ],
    },
    { title: ['Too short.'] },
  ],
  [
    'FastAPI',
    {
      detail: [
        { loc: ['body', 'title'], msg: 'field required', type: 'missing' },
        { loc: ['body', 'tags', 0], msg: 'too long' },
      ],
    },
    { title: ['field required'], 'tags.0': ['too long'] },
  ],
  ['FastAPI, of the whole body', { detail: [{ loc: ['body'], msg: 'Not both.' }] }, { '': ['Not both.'] }],
  [
    'express-validator',
    { errors: [{ type: 'field', msg: 'Too short.', path: 'title', location: 'body' }] },
    { title: ['Too short.'] },
  ],
  [
    'NestJS',
    { statusCode: 400, message: ['title must be longer'], error: 'Bad Request' },
    { '': ['title must be longer'] },
  ],
  [
    'Spring',
    { status: 400, errors: [{ field: 'tags[0].label', defaultMessage: 'Too short.' }] },
    { 'tags.0.label': ['Too short.'] },
  ],
  ['a list of fields and messages', { errors: [{ field: 'title', message: 'Too short.' }] }, { title: ['Too short.'] }],
  [
    'GitHub',
    {
      message: 'Validation Failed',
      errors: [
        { resource: 'Label', code: 'missing_field', field: 'name' },
        { resource: 'Label', code: 'already_exists', field: 'name' },
        { resource: 'Label', code: 'invalid', field: 'color' },
        { resource: 'Label', code: 'custom', field: 'color', message: 'color is too bright' },
      ],
      status: '422',
    },
    {
      name: ['This is required.', 'This is taken already.'],
      color: ['This is not valid.', 'color is too bright'],
    },
  ],
  [
    'GitHub, about no field',
    {
      message: 'Validation Failed',
      errors: [{ resource: 'PullRequest', code: 'custom', message: 'No commits between main and main' }],
    },
    { '': ['No commits between main and main'] },
  ],
  [
    'Zod',
    {
      success: false,
      error: { name: 'ZodError', issues: [{ code: 'too_small', path: ['tags', 0], message: 'Too short.' }] },
    },
    { 'tags.0': ['Too short.'] },
  ],
  [
    'Zod, with the issues as they are',
    {
      issues: [
        { path: ['title'], message: 'Too short.' },
        { path: [], message: 'Not both.' },
      ],
    },
    { title: ['Too short.'], '': ['Not both.'] },
  ],
  ['a server with fields in `detail`', { detail: { title: ['Too short.'] } }, { title: ['Too short.'] }],
  ['a server whose `errors` are empty', { errors: [], title: ['Too short.'] }, { title: ['Too short.'] }],
  [
    'fields with one text each',
    { errors: { title: 'Too short.', body: 'Too long.' } },
    { title: ['Too short.'], body: ['Too long.'] },
  ],
  [
    'Mongoose',
    {
      errors: {
        title: {
          name: 'ValidatorError',
          message: 'Path `title` is required.',
          properties: { message: 'Path `title` is required.', type: 'required', path: 'title' },
          kind: 'required',
          path: 'title',
        },
        'author.name': { name: 'CastError', message: 'Cast to String failed', kind: 'String', path: 'author.name' },
      },
      _message: 'Article validation failed',
      name: 'ValidationError',
      message: 'Article validation failed: title: Path `title` is required.',
    },
    { title: ['Path `title` is required.'], 'author.name': ['Cast to String failed'] },
  ],
  [
    'Zod, flattened',
    { formErrors: ['Not both.'], fieldErrors: { title: ['Required.'] } },
    { '': ['Not both.'], title: ['Required.'] },
  ],
  [
    'Zod, flattened, in `error`',
    { error: { formErrors: [], fieldErrors: { title: ['Required.'] } } },
    { title: ['Required.'] },
  ],
  [
    'Zod 4, as a tree',
    {
      errors: ['Not both.'],
      properties: {
        title: { errors: ['Required.'] },
        tags: { errors: [], items: [undefined, { errors: ['Too long.'] }] },
        author: { errors: [], properties: { name: { errors: ['Too short.'] } } },
      },
    },
    { '': ['Not both.'], title: ['Required.'], 'tags.1': ['Too long.'], 'author.name': ['Too short.'] },
  ],
  [
    'Zod 3, formatted',
    { _errors: ['Not both.'], title: { _errors: ['Required.'] }, author: { name: { _errors: ['Too short.'] } } },
    { '': ['Not both.'], title: ['Required.'], 'author.name': ['Too short.'] },
  ],
  [
    'API Platform and Symfony',
    {
      '@type': 'ConstraintViolationList',
      title: 'An error occurred',
      detail: 'title: This value should not be blank.',
      violations: [{ propertyPath: 'title', message: 'This value should not be blank.', code: 'c1051bb4' }],
    },
    { title: ['This value should not be blank.'] },
  ],
  [
    'Symfony, without a detail',
    { title: 'Validation Failed', violations: [{ propertyPath: 'tags[0].label', title: 'Too short.', template: 'x' }] },
    { 'tags.0.label': ['Too short.'] },
  ],
  [
    'Joi and celebrate',
    {
      statusCode: 400,
      error: 'Bad Request',
      message: 'Invalid request payload input',
      details: [
        {
          message: '"title" is required',
          path: ['title'],
          type: 'any.required',
          context: { label: 'title', key: 'title' },
        },
      ],
    },
    { title: ['"title" is required'] },
  ],
  [
    'Strapi',
    {
      data: null,
      error: {
        status: 400,
        name: 'ValidationError',
        message: '2 errors occurred',
        details: {
          errors: [
            { path: ['title'], message: 'title must be defined.', name: 'ValidationError' },
            { path: ['author', 'name'], message: 'name is too long.', name: 'ValidationError' },
          ],
        },
      },
    },
    { title: ['title must be defined.'], 'author.name': ['name is too long.'] },
  ],
  [
    'AJV',
    {
      errors: [
        {
          instancePath: '/title',
          schemaPath: '#/properties/title/minLength',
          keyword: 'minLength',
          params: { limit: 1 },
          message: 'must NOT have fewer than 1 characters',
        },
        {
          instancePath: '/author',
          schemaPath: '#/required',
          keyword: 'required',
          params: { missingProperty: 'name' },
          message: "must have required property 'name'",
        },
      ],
    },
    { title: ['must NOT have fewer than 1 characters'], 'author.name': ["must have required property 'name'"] },
  ],
  [
    'class-validator',
    [
      { property: 'title', constraints: { isNotEmpty: 'title should not be empty' }, children: [] },
      { property: 'author', children: [{ property: 'name', constraints: { isString: 'name must be a string' } }] },
    ],
    { title: ['title should not be empty'], 'author.name': ['name must be a string'] },
  ],
  [
    'NestJS with the errors of class-validator',
    {
      statusCode: 400,
      message: [{ property: 'title', constraints: { isNotEmpty: 'title should not be empty' } }],
      error: 'Bad Request',
    },
    { title: ['title should not be empty'] },
  ],
  [
    'Google APIs',
    {
      error: {
        code: 400,
        message: 'Invalid argument',
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: 'title', description: 'Title is required.' }],
          },
        ],
      },
    },
    { title: ['Title is required.'] },
  ],
];

test.each(ANSWERS)('the answer of %s', (_, answer, told) => {
  expect(fieldErrors(answer)).toEqual(told);
});

test('what is about no field and no person is left out', () => {
  expect(
    [
      { message: 'Not valid.', code: 'E42', data: { id: 'abc' } },
      'Bad request',
      null,
      undefined,
      42,
      [],
      { errors: {} },
      { errors: [null, 3, ''] },
    ].map(fieldErrors),
  ).toEqual(Array(8).fill({}));
});

test('any JSON is read without an error, and gives texts only', () => {
  const told = fc.jsonValue({ maxDepth: 12 });
  const named = fc.dictionary(
    fc.constantFrom(
      'errors',
      'detail',
      'title',
      'loc',
      'msg',
      'pointer',
      'source',
      'field',
      '__proto__',
      'constructor',
    ),
    told,
  );
  fc.assert(
    fc.property(fc.oneof(told, named, fc.array(named)), answer => {
      const errors = fieldErrors(answer);
      expect(
        Object.values(errors)
          .flat()
          .every(text => typeof text === 'string' && text !== ''),
      ).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('an answer that is nested without end is read to where forms end', () => {
  const deep = JSON.parse(`${'{"errors":'.repeat(5_000)}["Too deep."]${'}'.repeat(5_000)}`) as unknown;
  expect(fieldErrors(deep)).toEqual({});
});

test('of very many texts about the first 10,000 are read, each once', () => {
  const texts = Array.from({ length: 100_000 }, (_, place) => `${place + 1}.`);
  const read = fieldErrors({ errors: { title: [...texts.slice(0, 10), ...texts] } })['title']!;
  expect(read).toEqual(texts.slice(0, read.length));
  expect(read.length).toBeGreaterThan(9_900);
  expect(read.length).toBeLessThan(10_000);
});
