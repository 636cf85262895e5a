import { isObject } from '../../isObject.js';

/** The fact that `next: { page }` is. */
export const NEXT_PAGE_NUMBER = 'next { page }';

const PAGE_OR_SIZE = new Set(['page', 'limit', 'size', 'perpage', 'pagesize']);

/** What a response says about its page, by name: without case, `hydra:`, `_`, `-`, `@` and `.`, so that `next_page_url` is `nextpageurl`. */
export type PageFacts = ReadonlyMap<string, PageFact>;

interface PageFact {
  /** The name as the server writes it. */
  readonly name: string;
  readonly value: unknown;
}

/** The objects in which servers put the facts about a page. */
const ENVELOPES = new Set([
  'meta',
  'metadata',
  'pagination',
  'paging',
  'pagy',
  'page',
  'pages',
  'view',
  'pageinfo',
  'pagemetadata',
  'links',
  'cursors',
  'next',
  'responsemetadata',
]);

/**
 * Collects the facts beside the rows: in the objects that lead to the rows, and in objects such as `meta` or `pageInfo`. The rows
 * themselves, and other data, are not read.
 *
 * @param path The fields that lead from the response to its rows.
 */
export function readPageFacts(response: unknown, path: readonly string[]): PageFacts {
  const facts = new Map<string, PageFact>();
  collect(response, path, facts);
  return facts;
}

function collect(container: unknown, path: readonly string[], facts: Map<string, PageFact>): void {
  if (!isObject(container)) return;
  const nested: [unknown, readonly string[]][] = [];
  for (const [name, value] of Object.entries(container)) {
    const normalized = normalize(name);
    // HAL and JSON:API write a link as an object, too: { href }.
    const href = isObject(value) && typeof value.href === 'string' ? value.href : undefined;
    const number = normalized === 'next' ? pageNumberIn(value) : undefined;
    if (number !== undefined) facts.set(NEXT_PAGE_NUMBER, { name, value: number });
    else if (href === undefined && typeof value === 'object' && value !== null) {
      if (name === path[0]) nested.push([value, path.slice(1)]);
      else if (ENVELOPES.has(normalized)) nested.push([value, []]);
    } else if (!facts.has(normalized)) facts.set(normalized, { name, value: href ?? value });
  }
  for (const [inner, rest] of nested) collect(inner, rest, facts);
}

/** The number in `next: { page: 2, limit: 20 }`, which is about the next page and not about this one. With a cursor beside it, that counts. */
function pageNumberIn(next: unknown): number | undefined {
  if (!isObject(next) || !Object.keys(next).every(name => PAGE_OR_SIZE.has(normalize(name)))) return undefined;
  return toWholeNumber(next.page);
}

/** The name of a fact, for a field of the response. */
export function normalize(name: string): string {
  return name.replace(/^hydra:|[^a-z0-9]/gi, '').toLowerCase();
}

/** The first of these facts that the response has. */
export function findFact(facts: PageFacts, names: readonly string[]): PageFact | undefined {
  return names.map(name => facts.get(name)).find(fact => fact !== undefined);
}

/** The first of these facts that is a boolean. */
export function findFlag(facts: PageFacts, names: readonly string[]): boolean | undefined {
  return names.map(name => facts.get(name)?.value).find(value => typeof value === 'boolean');
}

/** The first of these facts that is a whole number, or the text of one. */
export function findNumber(facts: PageFacts, names: readonly string[]): number | undefined {
  return names.map(name => toWholeNumber(facts.get(name)?.value)).find(value => value !== undefined);
}

/** Undefined for a value that is no whole number. PocketBase sends -1 for a total that it did not count. */
export function toWholeNumber(value: unknown): number | undefined {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
  return isNumeric && Number.isSafeInteger(Number(value)) && Number(value) >= 0 ? Number(value) : undefined;
}
