import { detectAnotherPage, PAGE_COUNT, readTotal } from '../nextPage/detectNextPage.js';
import { RELATIVE_BASE } from '../nextPage/NextPage.js';
import { findNumber, readPageFacts, toWholeNumber, type PageFacts } from '../nextPage/pageFacts.js';
import { fieldKind } from '../nextPage/pageParams.js';

/** What the response of one page says about all pages. */
export interface PageOverview {
  /** The number of pages, if the server says it, or what it says leads to it. */
  readonly count: number | undefined;
  /** The number of rows on all pages, if the server says it. */
  readonly total: number | undefined;
  /** The number of rows on a full page, if it is known. */
  readonly size: number | undefined;
  /** False on the last page. True if nothing says whether there are more: the next page may then be empty. */
  readonly hasNext: boolean;
}

interface NumberedPage {
  readonly body: unknown;
  /** The fields that lead from the response to its rows; empty for a bare list. */
  readonly path: readonly string[];
  readonly rows: readonly object[];
  /** From 1. */
  readonly page: number;
  /** The resource's `paginationField`. */
  readonly field: string;
  /** The number of rows on a full page, as another page has shown it. */
  readonly size: number | undefined;
}

const PAGE_SIZE = ['perpage', 'pagesize', 'itemsperpage', 'limit', 'size'];

/** Reads the number of pages from a response: a count of pages, a link to the last page, or a count of rows. */
export function readPageOverview({ body, path, rows, page, field, size: seenSize }: NumberedPage): PageOverview {
  const facts = readPageFacts(body, path);
  const saidSize = findNumber(facts, PAGE_SIZE) ?? seenSize;
  // A full page has at least as many rows as this one.
  const received = (page - 1) * (saidSize ?? rows.length) + rows.length;
  const next = detectAnotherPage({ body, path, items: rows, field, pages: page, received });
  const isEnd = next.state === 'end';
  const isFull = (next.state === 'more' && next.by === 'link') || (page === 1 && !isEnd);
  const size = saidSize ?? (isFull ? rows.length : undefined);
  const total = readTotal(facts) ?? next.total;
  const count =
    findNumber(facts, PAGE_COUNT) ??
    pageOfLastLink(facts, field) ??
    (total !== undefined && size ? Math.max(1, Math.ceil(total / size)) : undefined) ??
    // A page beyond the last one ends the list, too, but does not count.
    (isEnd && rows.length > 0 ? page : undefined);
  return { count, total, size, hasNext: count === undefined ? !isEnd : page < count };
}

/** JSON:API, Laravel and others send a link to the last page. */
function pageOfLastLink(facts: PageFacts, field: string): number | undefined {
  if (fieldKind(field) !== 'page') return undefined;
  const links = ['last', 'lastpageurl'].map(name => facts.get(name)?.value);
  const link = links.find(value => typeof value === 'string' && URL.canParse(value, RELATIVE_BASE)) as
    string | undefined;
  return link === undefined ? undefined : toWholeNumber(new URL(link, RELATIVE_BASE).searchParams.get(field));
}
