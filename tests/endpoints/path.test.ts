import {
  array,
  assert,
  bigInt,
  boolean,
  constant,
  constantFrom,
  double,
  oneof,
  property,
  record,
  string,
  tuple,
  type Arbitrary,
} from 'fast-check';
import { expect, test } from 'vitest';
import { hasOptionalGroups } from '../../src/dataClient/rest.js';
import { Entity, resource, RestEndpoint } from '../../src/index.js';
import { shortenPath } from '../../src/endpoints/path.js';
import { MissingParamError } from '../../src/errors.js';

class Article extends Entity {
  id = '';
  title = '';
}

/** data-client's REST package has path-to-regexp 8 since 0.16. Paths with optional or repeated params, and patterns, are written otherwise there. */
const IS_SYNTAX_8 = hasOptionalGroups();
const testSyntax6 = test.skipIf(IS_SYNTAX_8);

test.each([
  ['/:group/:id', '/:group'],
  ['/:id', '/'],
  ['/:owner/*file', '/:owner'],
  ['/article/:id', '/article'],
  ['/article/:id/', '/article/'],
  ['/:id/', '/'],
  ['/a/:b/c/:d', '/a/:b/c'],
  ['/a/:id/edit', '/a'],
  ['/*file', '/'],
  ['/:id?', '/'],
  [String.raw`/a\:b/:id`, String.raw`/a\:b`],
  [String.raw`/:group/:id(\d+)`, '/:group'],
  [String.raw`/:group/:id((?:a|b)\))`, '/:group'],
  ['/a{/:id}?', '/a'],
  ['/a/:b/:path+', '/a/:b'],
])('the list of %s is at %s', (path, list) => {
  expect(shortenPath(path)).toBe(list);
});

test('a path without a token has no list, and says how to get one', () => {
  expect(() => shortenPath('/me')).toThrow(
    'The path "/me" names no record. End it with a token, as in \'/article/:id\'.',
  );
  expect(() => resource({ path: '/me', schema: Article })).toThrow(TypeError);
});

test('a wildcard takes a text or a list of segments, encodes them, and keeps its slashes', () => {
  const R = resource({ urlPrefix: 'https://a.test', path: '/:owner/*file', schema: Article });
  expect(R.get.url({ owner: 'o', file: 'a/b c' })).toBe('https://a.test/o/a/b%20c');
  expect(R.get.url({ owner: 'o/p', file: ['a/b', 'c?d#e'] })).toBe('https://a.test/o%2Fp/a%2Fb/c%3Fd%23e');
  expect(R.get.url({ owner: 'o', file: 'x', q: 1 } as never)).toBe('https://a.test/o/x?q=1');
  expect(R.getList.url({ owner: 'o', q: 1 })).toBe('https://a.test/o?q=1');
  expect(R.delete.url({ owner: 'o', file: 'x' })).toBe('https://a.test/o/x');
  expect((R.update.url as (params: object) => string).call(R.update, { owner: 'o', file: 'x' })).toBe(
    'https://a.test/o/x',
  );
});

test('params beyond the path become search params of the list', () => {
  const R = resource({ urlPrefix: 'https://a.test', path: '/:group/:id', schema: Article, paginationField: 'cursor' });
  expect(R.getList.url({ group: 'g', name: 'v w' })).toBe('https://a.test/g?name=v+w');
  expect(R.getList.getPage.url({ group: 'g', cursor: 2, name: 'v' })).toBe('https://a.test/g?cursor=2&name=v');
  const Root = resource({ path: '/:id', schema: Article });
  expect(Root.getList.url()).toBe('/');
  expect(Root.getList.url({ q: 'x' })).toBe('/?q=x');
});

test('testKey knows an endpoint’s own keys, and no others', () => {
  const R = resource({ urlPrefix: 'https://a.test', path: '/:owner/*file', schema: Article });
  expect(R.get.testKey(R.get.key({ owner: 'o', file: 'x/y' }))).toBe(true);
  expect(R.get.testKey(R.getList.key({ owner: 'o' }))).toBe(false);
  expect(R.getList.testKey(R.getList.key({ owner: 'o' }))).toBe(true);
  expect(R.update.testKey(R.get.key({ owner: 'o', file: 'x' }))).toBe(false);
  const S = resource({ path: '/article/:id', schema: Article });
  expect(S.get.testKey(S.get.key({ id: '5' }))).toBe(true);
  expect(S.get.testKey('GET /article')).toBe(false);
});

test.each([
  [{}, 'undefined'],
  [{ id: '' }, 'an empty string'],
  [{ id: null }, 'null'],
  [{ id: {} }, 'object'],
  [{ id: undefined }, 'undefined'],
  [{ id: '..' }, '".."'],
  [{ id: '.' }, '"."'],
  [{ id: NaN }, 'NaN'],
])('params %o are refused before any request', async (params, got) => {
  const { get, delete: remove } = resource({ path: '/article/:id', schema: Article });
  const message = `/article/:id needs a value for \`id\`, but got ${got}. Pass { id: … }, or null to wait until it is known.`;
  expect(() => get.url(params as never)).toThrow(`GET ${message}`);
  expect(() => get.key(params as never)).toThrow(`GET ${message}`);
  await expect(remove(params as never)).rejects.toMatchObject({
    name: 'MissingParamError',
    message: `DELETE ${message}`,
    status: 400,
  });
});

/** The address of a path, with params that its type does not know. */
const urlOf = (path: string, params: object): string =>
  (new RestEndpoint({ path }).url as (params: object) => string)(params);

test.runIf(IS_SYNTAX_8)('a group is optional, and may hold a param with text around it', () => {
  for (const path of ['/a{/:b}', '/a{/:b-x}']) {
    expect(urlOf(path, {})).toBe('/a');
    expect(urlOf(path, { b: null })).toBe('/a');
    for (const b of NO_SEGMENTS) expect(() => urlOf(path, { b }), JSON.stringify(b)).toThrow(MissingParamError);
  }
  expect(urlOf('/a{/:b}', { b: 'c/d', q: 1 })).toBe('/a/c%2Fd?q=1');
  expect(shortenPath('/a{/:id}')).toBe('/a');
});

testSyntax6('an optional param may be missing, however its path spells it', () => {
  for (const path of [
    '/a/:b?',
    '/a/:b*',
    '/a{/:b}?',
    '/a{/:b}*',
    '/a{/:b-x}?',
    String.raw`/a/:b(\d+)?`,
    '/a/:b((?:x|y)z)?',
    '/a/(.*)?',
  ]) {
    expect(urlOf(path, {})).toBe('/a');
    expect(urlOf(path, { b: null, 0: undefined })).toBe('/a');
  }
});

testSyntax6('a group or a repeated param without `?` or `*` is required', () => {
  for (const path of ['/a{/:b}', '/a{/:b}+', '/a/:b+', String.raw`/a/:b(\d+)+`])
    expect(() => urlOf(path, {})).toThrow('needs a value for `b`');
  expect(() => urlOf('/a/(.*)', {})).toThrow('needs a value for `0`');
});

test('a wildcard path matches its own addresses only: a dot in it is a dot', () => {
  const endpoint = new RestEndpoint({ path: '/v1.0/:owner/*file' });
  const matches = (address: string) => endpoint.testKey(`GET ${address}`);
  expect(['/v1.0/ada/src/a.ts', '/v1x0/ada/src/a.ts', '/v1.0/ada'].map(matches)).toEqual([true, false, false]);
});

test('an escaped character is no token, and a wildcard stands at the end', () => {
  expect(urlOf(String.raw`/a\:b/:c`, { c: 'x' })).toBe('/a:b/x');
  expect(urlOf(String.raw`/a\{\(/:c\?`, { c: 'x' })).toBe('/a{(/x?');
  expect(() => shortenPath('/files/*name/raw')).toThrow('names no record');
});

testSyntax6('`:path+` and `:path*` take a list of segments or one segment', () => {
  for (const path of ['/a/:path+', '/a/:path*', '/a{/:path}+', '/a{/:path}*']) {
    expect(urlOf(path, { path: ['b', 'c/d', 5], q: 1 })).toBe('/a/b/c%2Fd/5?q=1');
    expect(urlOf(path, { path: 'b/c' })).toBe('/a/b%2Fc');
  }
  expect(urlOf('/a/:path*', { path: [] })).toBe('/a');
  expect(() => urlOf('/a/:path+', { path: [] })).toThrow('needs a value for `path`, but got [].');
});

test('a list is no value for a param of one segment', () => {
  for (const path of ['/a/:b', '/a/:b?', '/a{/:b}?'])
    expect(() => urlOf(path, { b: ['x'] })).toThrow('needs a value for `b`, but got ["x"].');
});

const LONE_SURROGATE = '\ud800';
const NO_SEGMENTS = ['', '.', '..', LONE_SURROGATE, 'a\udfff', NaN, {}];

testSyntax6('an unnamed pattern refuses them too', () => {
  expect(urlOf('/(.*)/:b/(.*)', { 0: 'x', b: 'y', 1: 'z' })).toBe('/x/y/z');
  for (const value of NO_SEGMENTS)
    expect(() => urlOf('/(.*)/:b', { 0: value, b: 'y' })).toThrow('needs a value for `0`');
});

test('a refused list is named value by value', () => {
  expect(() => urlOf('/a/:b+', { b: ['x', '..', '', null] })).toThrow(
    'needs a value for `b`, but got ["x", "..", an empty string, null]. Pass { b: … }, or null to wait until it is known.',
  );
  expect(() => urlOf('/a/:b', { b: LONE_SURROGATE })).toThrow('needs a value for `b`, but got "\\ud800".');
});

type Kind = 'literal' | 'one' | 'optional' | 'plus' | 'star' | 'group' | 'wildcard';
const KINDS: readonly Kind[] = IS_SYNTAX_8
  ? ['literal', 'one', 'group']
  : ['literal', 'one', 'optional', 'plus', 'star', 'group'];
const SPELLINGS: Record<Kind, (name: string) => string> = {
  literal: name => `/${name}`,
  one: name => `/:${name}`,
  optional: name => `/:${name}?`,
  plus: name => `/:${name}+`,
  star: name => `/:${name}*`,
  group: name => (IS_SYNTAX_8 ? `{/:${name}}` : `{/:${name}}?`),
  wildcard: name => `/*${name}`,
};

function isWellFormed(text: string): boolean {
  try {
    return encodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

/** The segments that a value stands for, or undefined where it must be refused. */
function expectedSegments(kind: Kind, name: string, value: unknown): string[] | undefined {
  if (kind === 'literal') return [name];
  const isAbsent =
    value === undefined || value === null || (kind === 'star' && Array.isArray(value) && value.length === 0);
  if (isAbsent && ['optional', 'star', 'group'].includes(kind)) return [];
  if (Array.isArray(value) && !['plus', 'star', 'wildcard'].includes(kind)) return undefined;
  const list: unknown[] = Array.isArray(value)
    ? value
    : kind === 'wildcard' && typeof value === 'string'
      ? value.split('/')
      : [value];
  const isGood = (segment: unknown) => {
    if (typeof segment === 'number') return Number.isFinite(segment);
    if (typeof segment === 'string') return !['', '.', '..'].includes(segment) && isWellFormed(segment);
    return typeof segment === 'boolean' || typeof segment === 'bigint';
  };
  return list.length > 0 && list.every(isGood) ? list.map(String) : undefined;
}

const NASTY = [
  '.',
  '..',
  '%2e',
  '%2E',
  '%252e',
  '/',
  '\\',
  '?',
  '#',
  '%',
  ':',
  '@',
  ';',
  ' ',
  '\t',
  '\n',
  'é',
  '\u{1f600}',
  '\ud800',
  '\udc00',
  'a',
  'evil.com',
];
const anySegment = oneof(
  string({ unit: 'binary' }),
  array(constantFrom(...NASTY), { maxLength: 4 }).map(parts => parts.join('')),
  double(),
  boolean(),
  bigInt(),
  constantFrom(undefined, null),
);
const anyValue = oneof(anySegment, array(anySegment, { maxLength: 4 }));
const anyPart: Arbitrary<{ kind: Kind; value: unknown }> = record({
  kind: constantFrom(...KINDS),
  value: anyValue,
});
const wildcardPart: Arbitrary<{ kind: Kind; value: unknown }> = record({
  kind: constant<Kind>('wildcard'),
  value: anyValue,
});

test('whatever the values: a MissingParamError, or an address that a URL parser reads back as those segments (scenario 35)', () => {
  assert(
    property(
      tuple(array(anyPart, { minLength: 1, maxLength: 4 }), array(wildcardPart, { maxLength: 1 })),
      ([parts, wildcard]) => {
        const all = [...parts, ...wildcard].map((part, index) => ({ ...part, name: `p${index}` }));
        const path = all.map(({ kind, name }) => SPELLINGS[kind](name)).join('');
        const params = Object.fromEntries(
          all.filter(({ kind }) => kind !== 'literal').map(({ name, value }) => [name, value]),
        );
        const expected = all.map(({ kind, name, value }) => expectedSegments(kind, name, value));
        const refused = expected.indexOf(undefined);
        if (refused >= 0) {
          expect(() => urlOf(path, params)).toThrow(MissingParamError);
          expect(() => urlOf(path, params)).toThrow(`needs a value for \`${all[refused]?.name}\``);
          return;
        }
        const { origin, pathname, search, hash } = new URL(urlOf(path, params), 'https://page.test');
        expect([origin, search, hash]).toEqual(['https://page.test', '', '']);
        expect(pathname.split('/').slice(1).map(decodeURIComponent)).toEqual(
          expected.flat().length === 0 ? [''] : expected.flat(),
        );
      },
    ),
    { numRuns: 500 },
  );
});
