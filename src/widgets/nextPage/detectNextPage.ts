// One file for all servers: their shapes overlap, and the order in which they are tried is the point. The table in
// tests/widgets/detectNextPage.test.ts has each shape with its source.
import { isCursor, linkParams, NextLinkError, type LoadedPages } from './NextPage.js';
import {
  findFact,
  findFlag,
  findNumber,
  NEXT_PAGE_NUMBER,
  normalize,
  readPageFacts,
  toWholeNumber,
  type PageFacts,
} from './pageFacts.js';
import { fieldKind, type PageParamKind } from './pageParams.js';

/** The newest response of a list, and how far the list has been loaded. */
export interface PageAnswer extends LoadedPages {
  /** The fields that lead from the response to its rows; empty for a bare list. */
  readonly path: readonly string[];
  /** The number of rows that the server had at the newest response, as far as they are known. */
  readonly received: number;
  /** True if the response before this one held a link or a cursor. */
  readonly wasLinked: boolean;
}

export type PageSearch = Readonly<Record<string, string | number>>;

/** The next page, and how it was found: from a link or cursor, from a number that the server sent, or by counting. */
export interface NextPageFound {
  readonly state: 'more';
  readonly search: PageSearch;
  readonly by: 'link' | 'number' | 'counting';
}

/** `end`: the last page is loaded. `unknown`: nothing says whether there are more rows, or how to get them. */
type Found = NextPageFound | { readonly state: 'end' | 'unknown' };

/** The result of the detection. `total` is the number of rows in all pages, if the server says it. */
export type DetectedPage = Found & { readonly total: number | undefined };

const END: Found = { state: 'end' };
const UNKNOWN: Found = { state: 'unknown' };
const more = (by: NextPageFound['by'], search: PageSearch): Found => ({ state: 'more', search, by });

const NEXT = ['next', 'nextpageurl', 'nexturl', 'nextlink', 'nextpagelink', 'odatanextlink', 'nextpage'];
/** The field of a cursor, and the search param that servers give it. */
const CURSORS = [
  ['nextcursor', 'cursor'],
  ['nextpagetoken', 'pageToken'],
  ['nexttoken', 'nextToken'],
  ['continuationtoken', 'continuationToken'],
  ['endcursor', 'after'],
  ['after', 'after'],
  ['cursor', 'cursor'],
] as const;
const OTHER_LINKS = ['first', 'last', 'prev', 'previous'];
const HAS_MORE = ['hasmore', 'hasnext', 'hasnextpage', 'moredataavailable', 'istruncated'];
const IS_LAST = ['last', 'islast', 'lastpage', 'islastpage'];
const CURRENT_PAGE = ['page', 'currentpage', 'pagenumber', 'number'];
export const PAGE_COUNT = ['pages', 'lastpage', 'totalpages', 'pagecount', 'last'];
const OFFSET = ['offset', 'skip', 'startindex', 'startat'];
const TOTAL = ['total', 'totalcount', 'totalelements', 'totalitems', 'totaldocs', 'totalresults', 'odatacount'];

/**
 * Finds the next page in a response: by a link or a cursor, by the number of the current page, else by counting in the way that
 * `paginationField` names.
 *
 * @throws NextLinkError when the link to the next page cannot be used.
 */
export function detectNextPage(answer: PageAnswer): DetectedPage {
  const facts = readPageFacts(answer.body, answer.path);
  const total = totalOf(facts, answer);
  const found =
    (hasMore(facts) === false ? END : undefined) ??
    findByLink(facts, answer) ??
    findByNumber(facts, answer, total) ??
    (omitsNext(facts, answer) ? END : undefined) ??
    findByCounting(answer);
  return { ...found, total };
}

/**
 * Finds whether there is a page after this one, of which only its own response is known. Which page that is does not matter, so a link that
 * cannot be followed is a link.
 */
export function detectAnotherPage(
  page: Pick<PageAnswer, 'body' | 'path' | 'items' | 'field' | 'pages' | 'received'>,
): DetectedPage {
  const known = { lastKey: '', offset: 0, wasLinked: false };
  try {
    return detectNextPage({ ...page, ...known, lastPageSize: page.items.length });
  } catch (error) {
    if (error instanceof NextLinkError) return { state: 'more', by: 'link', search: {}, total: undefined };
    throw error;
  }
}

/** The number of rows in all pages, if the response says it. */
export function findTotal(answer: Pick<PageAnswer, 'body' | 'path' | 'received'>): number | undefined {
  return totalOf(readPageFacts(answer.body, answer.path), answer);
}

function totalOf(facts: PageFacts, { received }: Pick<PageAnswer, 'received'>): number | undefined {
  // `count` is the number of all rows at most servers, and of the rows on this page at some.
  const count = findNumber(facts, ['count']);
  const least = findFact(facts, [...NEXT, NEXT_PAGE_NUMBER])?.value ? received + 1 : received;
  return readTotal(facts) ?? (count !== undefined && count >= least ? count : undefined);
}

/** The number of rows in all pages, where the response calls it a total. */
export function readTotal(facts: PageFacts): number | undefined {
  // Directus counts in `total_count` the rows that do not match, too.
  const matching = facts.has('totalcount') || !findFact(facts, TOTAL) ? findNumber(facts, ['filtercount']) : undefined;
  return matching ?? findNumber(facts, TOTAL);
}

function hasMore(facts: PageFacts): boolean | undefined {
  const isLast = findFlag(facts, IS_LAST);
  // Some servers send true as the next page.
  return findFlag(facts, HAS_MORE) ?? findFlag(facts, NEXT) ?? (isLast === undefined ? undefined : !isLast);
}

function findByLink(facts: PageFacts, answer: PageAnswer): Found | undefined {
  const { field } = answer;
  const kind = fieldKind(field);
  const nexts = NEXT.flatMap(name => facts.get(name)?.value ?? []);
  const link = nexts.find(next => typeof next === 'string' && isLink(next, kind)) as string | undefined;
  if (link) return more('link', linkParams(link));
  const number = nexts.find(next => typeof next === 'number');
  if (number !== undefined) return more('number', { [field ?? 'page']: number });

  const page = kind === undefined || kind === 'page' ? findNumber(facts, [NEXT_PAGE_NUMBER]) : undefined;
  if (page !== undefined) return more('number', { [field ?? 'page']: page });

  const cursor = nexts.find(next => typeof next === 'string' && next !== '') as string | undefined;
  if (cursor) return more('link', { [field ?? 'cursor']: cursor });
  const named = findCursor(facts, field);
  if (named && isCursor(named.value)) return more('link', { [field ?? named.param]: named.value });

  // Stripe: the cursor is the id of the last row.
  const isKeyed = kind === 'cursor' || (field === undefined && facts.get('object')?.value === 'list');
  if (hasMore(facts)) return isKeyed ? findByKey('number', field ?? 'starting_after', answer) : undefined;
  return named || findFact(facts, NEXT) ? END : undefined;
}

/** The rows after the last one. Undefined where rows have no keys. */
function findByKey(by: 'number' | 'counting', param: string, { lastKey }: PageAnswer): Found | undefined {
  return lastKey === undefined ? undefined : more(by, { [param]: lastKey });
}

/** JSON:API and HAL omit the link to a page that does not exist. Many servers omit the cursor on the last page. */
function omitsNext(facts: PageFacts, { wasLinked }: PageAnswer): boolean {
  if (hasMore(facts)) return false;
  return wasLinked || OTHER_LINKS.some(name => typeof facts.get(name)?.value === 'string');
}

function findByNumber(facts: PageFacts, answer: PageAnswer, total: number | undefined): Found | undefined {
  const { field = '', received, pages, lastPageSize } = answer;
  const kind = fieldKind(answer.field);
  const isMissing = hasMore(facts) ?? (total === undefined ? undefined : received < total);
  const current = findNumber(facts, CURRENT_PAGE);
  const count = findNumber(facts, PAGE_COUNT);
  if (current !== undefined && kind !== 'offset') {
    // Spring counts pages from 0.
    const last = current === pages - 1 ? -1 : 0;
    const isEnd = count === undefined ? isMissing === false : current >= count + last;
    if (isEnd) return END;
    if (count !== undefined || isMissing) return more('number', { [kind === 'page' ? field : 'page']: current + 1 });
  }
  if (isMissing === false) return END;
  const offset = findFact(facts, OFFSET);
  const start = toWholeNumber(offset?.value);
  if (!isMissing || !offset || start === undefined || kind === 'page') return undefined;
  return more('number', { [kind === 'offset' ? field : offset.name]: start + lastPageSize });
}

/** The response names no next page. The list ends with the first page without new rows. */
function findByCounting(answer: PageAnswer): Found {
  const { body, field, pages, offset, lastPageSize } = answer;
  if (lastPageSize === 0) return END;
  switch (fieldKind(field)) {
    case 'page':
      return more('counting', { [field as string]: pages + 1 });
    case 'offset':
      return more('counting', { [field as string]: offset });
    case 'cursor':
      return (Array.isArray(body) ? findByKey('counting', field as string, answer) : undefined) ?? UNKNOWN;
    default:
      return UNKNOWN;
  }
}

/** True for `https://…`, `?page=2` and `/article?page=2`. A cursor may begin with a slash, as base64 does. */
function isLink(next: string, kind: PageParamKind | undefined): boolean {
  return /^[a-z][a-z+.-]*:\/\/|\?/i.test(next) || (next.startsWith('/') && kind !== 'cursor');
}

function findCursor(facts: PageFacts, field: string | undefined): { value: unknown; param: string } | undefined {
  const own = field !== undefined && fieldKind(field) === 'cursor' ? [[normalize(field), field] as const] : [];
  for (const [name, param] of [...CURSORS, ...own]) {
    const fact = facts.get(name);
    const isSnake = fact?.name.includes('_') ?? false;
    if (fact) return { value: fact.value, param: isSnake ? param.replace(/[A-Z]/g, '_$&').toLowerCase() : param };
  }
  return undefined;
}
