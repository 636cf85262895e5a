import { MissingParamError } from '../errors.js';
import type { PathArgs } from '../rest.js';

/** What a `*wildcard` token takes: one text, whose slashes separate segments, or the list of segments. */
export type WildcardValue = string | number | readonly (string | number)[];

/** The params of a path, `*wildcard` included: `PathParams<'/:owner/*file'>` is `{ owner, file }`. */
export type PathParams<Path extends string> = string extends Path
  ? unknown
  : Path extends `${infer Head}/*${infer Name}`
    ? PathArgs<Head> & { [K in Name]: WildcardValue }
    : PathArgs<Path>;

/** `:name`, with path-to-regexp's optional `(pattern)` and modifier; an escaped colon is no token. */
const PARAM = /(?<!\\):(\w+)(?:\([^)]*\))?([?*]?)/g;
const WILDCARD = /\/\*(\w+)$/;

/** The wildcard that ends a path, or undefined: `/:owner/*file` is `{ head: '/:owner', name: 'file' }`. */
export function wildcardOf(path: string): { head: string; name: string } | undefined {
  const match = WILDCARD.exec(path);
  return match ? { head: path.slice(0, match.index), name: match[1] as string } : undefined;
}

/**
 * The path of the list that a record's path belongs to: without its last `:param` or `*wildcard` token.
 *
 * @throws TypeError when the path has no token.
 * @example
 * shortenPath('/:group/:id'); // '/:group'
 * shortenPath('/:id'); // '/'
 * shortenPath('/:owner/*file'); // '/:owner'
 */
export function shortenPath(path: string): string {
  const last = wildcardOf(path)?.head.length ?? [...path.matchAll(PARAM)].at(-1)?.index;
  if (last === undefined) throw new TypeError(`The path ${JSON.stringify(path)} names no record. End it with a token, as in '/article/:id'.`);
  return path.slice(0, last).replace(/\/$/, '') || '/';
}

function tokensOf(path: string): { name: string; isOptional: boolean }[] {
  const wildcard = wildcardOf(path);
  const tokens = [...(wildcard?.head ?? path).matchAll(PARAM)].map(([, name, modifier]) => ({ name: name as string, isOptional: modifier !== '' }));
  return wildcard ? [...tokens, { name: wildcard.name, isOptional: false }] : tokens;
}

/** The params that a path takes, in order. */
export function paramNames(path: string): string[] {
  return tokensOf(path).map(({ name }) => name);
}

/** The params that a path cannot do without: those in `{}` groups it can. */
function requiredParams(path: string): string[] {
  const withoutGroups = path.replace(/\{[^}]*\}[?*]?/g, '');
  return tokensOf(withoutGroups).filter(({ isOptional }) => !isOptional).map(({ name }) => name);
}

const required = new Map<string, readonly string[]>();

/** `fetch` resolves these away, and the address would be another thing's (RFC 3986, section 5.2.4). */
const DOT_SEGMENTS = new Set(['.', '..']);

function isSegment(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || typeof value === 'bigint' || (typeof value === 'string' && value !== '' && !DOT_SEGMENTS.has(value));
}

function segmentsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : typeof value === 'string' ? value.split('/') : [value];
}

/**
 * Holds params against the path: every token needs a value, or the address would be that of another thing.
 *
 * @throws MissingParamError naming the first that is missing, empty, or no text or number.
 */
export function assertParams(method: string, path: string, params: Record<string, unknown>): void {
  if (!required.has(path)) required.set(path, requiredParams(path));
  const wildcard = wildcardOf(path)?.name;
  for (const name of required.get(path) as readonly string[]) {
    const segments = name === wildcard ? segmentsOf(params[name]) : [params[name]];
    if (segments.length === 0 || !segments.every(isSegment)) throw new MissingParamError(method, path, name, params[name]);
  }
}

/** The segments of a wildcard's value, encoded; the slashes between them stay. */
export function encodeWildcard(value: unknown): string {
  return segmentsOf(value)
    .map(segment => encodeURIComponent(String(segment)))
    .join('/');
}

/** A pattern for the addresses of a path that ends in a wildcard. */
export function wildcardPattern(head: string): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = head.split(/:\w+/).map(literal);
  return new RegExp(`^${parts.join('[^/]+?')}/.+$`);
}
