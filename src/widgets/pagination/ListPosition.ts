import type { LoadedPages } from '../nextPage/NextPage.js';
import { keyOf, type Comparison, type RowKey } from './compareRows.js';

/** How far a list had been loaded at its newest response. */
export interface StoredPosition extends Pick<LoadedPages, 'pages' | 'offset' | 'lastPageSize'> {
  /** The number of rows on the first page. */
  readonly pageSize: number;
  /** The rows that the server has sent, up to the newest response, in its order. Each page adds to the same set: a copy would walk all rows. */
  readonly received: Set<RowKey>;
  /** The other rows that the user had created by then. The server may have put each of them before the next page. */
  readonly own: ReadonlySet<RowKey>;
  /** The number of rows that the server must have had, by then. */
  readonly known: number;
  /** The last row of the newest page. */
  readonly lastSent: RowKey | undefined;
  /** How many rows of further pages may be known already, because rows were created before them. */
  readonly overlap: number;
  /** True if the newest page brought no new row, and nothing explains it. */
  readonly isStuck: boolean;
  /** The number of rows that the newest page added to the shown ones. */
  readonly shown: number;
  /** The pages that were requested since the first one, and whose rows have not moved since. */
  readonly requested: ReadonlySet<string>;
  readonly wasLinked: boolean;
  /** When the newest response expires. Another value means that the list has been fetched from its first page again. */
  readonly expiresAt: number;
}

/** The position now: moved by what has happened to the rows since the newest response. */
export interface CurrentPosition extends Omit<LoadedPages, 'body' | 'items' | 'field'> {
  /** The number of rows that the server must have had at the newest response. */
  readonly received: number;
  /** The number of rows that the user has created since. */
  readonly created: number;
  /** The number of rows in the list, with those whose deletion is pending: the server still has them. */
  readonly rows: number;
  /** True if the newest page brought no new row although it should have, so that more requests may bring none either. */
  readonly isStuck: boolean;
  readonly wasLinked: boolean;
}

/** A page that the server has sent. */
interface SentPage {
  readonly rows: readonly RowKey[];
  /** The key of its search params. */
  readonly search: string;
  readonly isLinked: boolean;
  readonly expiresAt: number;
}

/** The position of a list of which the first page has been loaded. */
export function firstPage(items: readonly object[], expiresAt: number): StoredPosition {
  const received = new Set(items.map(keyOf));
  return {
    expiresAt,
    pages: 1,
    offset: items.length,
    pageSize: items.length,
    lastPageSize: items.length,
    received,
    own: new Set(),
    known: received.size,
    lastSent: [...received].at(-1),
    overlap: 0,
    isStuck: false,
    shown: items.length,
    requested: new Set(),
    wasLinked: false,
  };
}

/**
 * The position of a list in its pages.
 *
 * The next page starts at the first row that is not in the list yet, or before it, wherever the server puts new rows:
 * - Each row that was deleted since the newest response has moved the later ones up. The position goes back by as many rows, in whole pages
 *   where pages are numbered. A row that the user had created before that response counts too: it may have been before the next page.
 * - A created row moves nothing. If the server has put it before the next page, this page has a row that is loaded already.
 *
 * Rows that are loaded twice appear once. Deletions are found by the keys of the rows: a created row does not make up for a deleted one.
 */
export class ListPosition {
  readonly current: CurrentPosition;
  readonly #stored: StoredPosition;
  readonly #items: readonly object[];
  readonly #created: ReadonlySet<RowKey>;
  readonly #isReceivedGone: boolean;
  readonly #lastLeft: RowKey | undefined;

  /** @param compared The rows of the list now, compared with those that the server has sent. */
  constructor(stored: StoredPosition, { items, receivedCount, created }: Comparison) {
    const { received, own, lastSent, pageSize } = stored;
    this.#stored = stored;
    this.#items = items;
    this.#created = created;
    // Now, because the next position has the same set of rows, which then has grown.
    this.#isReceivedGone = receivedCount < received.size;
    this.#lastLeft = this.#isReceivedGone ? [...rowsLeft(received, items)].at(-1) : lastSent;
    const ownLeft = [...own].filter(row => created.has(row)).length;
    const deleted = received.size - receivedCount + own.size - ownLeft;
    const pagesBack = Math.min(stored.pages, Math.ceil(deleted / Math.max(1, pageSize)));
    this.current = {
      pages: stored.pages - pagesBack,
      pagesBack,
      offset: Math.max(0, stored.offset - deleted),
      deleted,
      received: stored.known,
      created: created.size - ownLeft,
      rows: receivedCount + created.size,
      lastPageSize: stored.lastPageSize,
      lastKey: textOf(this.#lastLeft),
      lastSentKey: textOf(lastSent),
      isStuck: stored.isStuck && deleted === 0,
      wasLinked: stored.wasLinked,
    };
  }

  /** True if the page with these search params was requested before, and its rows have not moved since. */
  wasRequested(search: string): boolean {
    return this.current.deleted === 0 && this.#stored.requested.has(search);
  }

  /**
   * The position after the next page.
   *
   * @param createdNow The rows that the user has created, also while the page was on its way.
   */
  after({ rows, search, isLinked, expiresAt }: SentPage, createdNow: ReadonlySet<RowKey>): StoredPosition {
    const { received, overlap, pageSize, requested } = this.#stored;
    const { pages, offset, deleted, created } = this.current;
    const shown = rows.filter(row => !received.has(row) && !this.#created.has(row)).length;
    // A row that is deleted while the page is on its way stays among the received ones, and counts as deleted after the page.
    const all = this.#isReceivedGone ? rowsLeft(received, this.#items) : received;
    for (const row of rows) {
      all.delete(row);
      all.add(row);
    }
    const others = (of: Iterable<RowKey>) => [...of].filter(row => typeof row === 'string' && !all.has(row));
    const createdBefore = others(this.#created);
    // Rows may already be read again, or be known although they were not received.
    const explained = overlap + created + (deleted > 0 ? deleted + pageSize : 0);
    const repeated = rows.length - shown;
    return {
      pageSize,
      pages: pages + 1,
      offset: offset + rows.length,
      lastPageSize: rows.length,
      received: all,
      own: new Set([...createdBefore, ...others(createdNow)]),
      known: all.size + createdBefore.length,
      lastSent: rows.at(-1) ?? this.#lastLeft,
      overlap: Math.max(0, explained - repeated),
      isStuck: shown === 0 && (repeated === 0 || repeated > explained),
      shown,
      requested: new Set([...(deleted > 0 ? [] : requested), search]),
      wasLinked: isLinked,
      expiresAt,
    };
  }
}

/** The received rows that are still in the list, in the order of the server. */
function rowsLeft(received: ReadonlySet<RowKey>, items: readonly object[]): Set<RowKey> {
  const keys = new Set(items.map(keyOf));
  return new Set([...received].filter(row => keys.has(row)));
}

function textOf(row: RowKey | undefined): string | undefined {
  return typeof row === 'string' ? row : undefined;
}
