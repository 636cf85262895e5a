import { MissingParamError } from '../errors.js';
import { hasOptionalGroups, type PathArgs } from '../dataClient/rest.js';
import { getOrCreate } from '../getOrCreate.js';

/** The value of a `*wildcard` token: one text with slashes between segments, or a list of segments. */
export type WildcardValue = string | number | readonly (string | number)[];

/** The params of a path, `*wildcard` included: `PathParams<'/:owner/*file'>` is `{ owner, file }`. */
export type PathParams<Path extends string> = string extends Path
  ? unknown
  : Path extends `${infer Head}/*${infer Name}`
    ? PathArgs<Head> & { [K in Name]: WildcardValue }
    : PathArgs<Path>;

/** A wildcard at the end of a path. */
const WILDCARD = /\/\*(\w+)$/;

/**
 * The pieces of path-to-regexp's syntax: an escaped character, `{`, `}`, and `:name`. Version 6 also has `}?` and `:name(pattern)?`, whose
 * name or pattern may be left out.
 */
const PIECE = /\\.|\{|\}([?*+]?)|(?::(\w+)|(?=\())(?:\((?:\\.|[^\\()]|\((?:\\.|[^\\()])*\))*\))?([?*+]?)/g;

interface PathToken {
  readonly name: string;
  /** The index of its first character in the path, or of its `{`. */
  readonly start: number;
  readonly isOptional: boolean;
  /** True for a token that accepts a list of segments, like `:path+` and `:path*`. */
  readonly isRepeated: boolean;
}

/** A path without its wildcard, and the name of that: for `/:owner/*file`, `{ head: '/:owner', name: 'file' }`. */
interface Wildcard {
  readonly head: string;
  readonly name: string;
}

function findWildcard(path: string): Wildcard | undefined {
  const match = WILDCARD.exec(path);
  return match ? { head: path.slice(0, match.index), name: match[1] as string } : undefined;
}

/**
 * Returns the path of the list for a record's path: the path without its last `:param` or `*wildcard` token. A slash at the end stays, as
 * in Django's paths.
 *
 * @throws TypeError when the path has no token.
 * @example
 * shortenPath('/:group/:id'); // '/:group'
 * shortenPath('/:id'); // '/'
 * shortenPath('/article/:id/'); // '/article/'
 * shortenPath('/:owner/*file'); // '/:owner'
 */
export function shortenPath(path: string): string {
  const last = parsePath(path).tokens.at(-1)?.start;
  if (last === undefined)
    throw new TypeError(`The path ${JSON.stringify(path)} names no record. End it with a token, as in '/article/:id'.`);
  const head = path.slice(0, last).replace(/\/$/, '');
  return path.endsWith('/') ? `${head}/` : head || '/';
}

function pathToken(name: string, start: number, modifier: string): PathToken {
  return {
    name,
    start,
    isOptional: modifier === '?' || modifier === '*',
    isRepeated: modifier === '+' || modifier === '*',
  };
}

function parseTokens(path: string, wildcard: Wildcard | undefined): PathToken[] {
  const tokens: PathToken[] = [];
  let group: { start: number; name?: string } | undefined;
  let unnamed = 0;
  for (const match of (wildcard?.head ?? path).matchAll(PIECE)) {
    const [piece, groupModifier, name, ownModifier] = match;
    if (piece.startsWith('\\')) continue;
    if (piece === '{') group = { start: match.index };
    else if (!piece.startsWith('}')) {
      // path-to-regexp numbers the patterns that have no name.
      const given = name ?? `${unnamed++}`;
      if (group) group.name = given;
      else tokens.push(pathToken(given, match.index, ownModifier as string));
    } else if (group) {
      const modifier = groupModifier || (hasOptionalGroups() ? '?' : '');
      if (group.name !== undefined) tokens.push(pathToken(group.name, group.start, modifier));
      group = undefined;
    }
  }
  return wildcard ? [...tokens, pathToken(wildcard.name, wildcard.head.length, '+')] : tokens;
}

interface ParsedPath {
  readonly tokens: readonly PathToken[];
  readonly wildcard: Wildcard | undefined;
}

const parsed = new Map<string, ParsedPath>();

function parsePath(path: string): ParsedPath {
  return getOrCreate(parsed, path, () => {
    const wildcard = findWildcard(path);
    return { tokens: parseTokens(path, wildcard), wildcard };
  });
}

/** Returns the wildcard at the end of a path, or undefined. */
export function wildcardOf(path: string): Wildcard | undefined {
  return parsePath(path).wildcard;
}

/** The names of a path's params, in order. */
export function paramNames(path: string): string[] {
  return parsePath(path).tokens.map(({ name }) => name);
}

/** Returns true if a path has a param of this name. */
export function hasParam(path: string, param: string): boolean {
  return parsePath(path).tokens.some(({ name }) => name === param);
}

/**
 * Segments that would change the address: URL parsers resolve dot segments (RFC 3986, section 5.2.4), and an empty
 * segment shifts the rest.
 */
const MISLEADING_SEGMENTS = new Set(['', '.', '..']);
/** Half of a surrogate pair: `encodeURIComponent` throws a `URIError` for it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function isSegment(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return !MISLEADING_SEGMENTS.has(value) && !LONE_SURROGATE.test(value);
  return typeof value === 'boolean' || typeof value === 'bigint';
}

/**
 * Converts the values of a path's params for path-to-regexp: to texts, and to lists of texts for a param that accepts a list.
 * Omits optional params without a value, and empty lists for `:name*`.
 *
 * @throws MissingParamError for the first param that is missing, or whose value cannot be a segment of an address.
 */
export function pathValues(
  method: string,
  path: string,
  params: Record<string, unknown>,
): Record<string, string | string[]> {
  const { tokens, wildcard } = parsePath(path);
  const values: Record<string, string | string[]> = {};
  for (const { name, isOptional, isRepeated } of tokens) {
    const value = params[name];
    const isList = isRepeated && Array.isArray(value);
    if (isOptional && (value === undefined || value === null || (isList && value.length === 0))) continue;
    const segments: unknown[] = isList
      ? value
      : name === wildcard?.name && typeof value === 'string'
        ? value.split('/')
        : [value];
    if (segments.length === 0 || !segments.every(isSegment)) throw new MissingParamError(method, path, name, value);
    const texts = segments.map(String);
    values[name] = isRepeated ? texts : (texts[0] as string);
  }
  return values;
}

/** Returns a pattern that matches the addresses of a path with a wildcard. */
export function wildcardPattern(head: string): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = head.split(/:\w+/).map(literal);
  return new RegExp(`^${parts.join('[^/]+?')}/.+$`);
}
