import type { LoadedPages } from './NextPage.js';

const CURSOR_PARAM = /cursor|after|before|since|token|marker/i;
const OFFSET_PARAM = /offset|skip|^start(-?index)?$/i;
const PAGE_PARAM = /^(p|page(\[?[-_]?(number|no|num|index)\]?)?)$/i;

/** How a `paginationField` names a page. A name that is neither a cursor's nor an offset's is a page number's. */
export function fieldKind(field: string | undefined): 'page' | 'offset' | 'cursor' | undefined {
  if (field === undefined) return undefined;
  if (CURSOR_PARAM.test(field)) return 'cursor';
  return OFFSET_PARAM.test(field) ? 'offset' : 'page';
}

/** What has happened to the loaded rows since the newest response. */
type Moves = Pick<LoadedPages, 'deleted' | 'pagesBack' | 'lastKey' | 'lastSentKey'>;

/** A page number or an offset, for the rows as they are now. */
export function numberBack(number: number, kind: 'page' | 'offset', { deleted, pagesBack }: Moves): number {
  return Math.max(0, number - (kind === 'page' ? pagesBack : deleted));
}

/**
 * The params of a cursor. If the cursor is the key of the last row, and this row was deleted, the server may not know it any more: then the
 * last row that is left is meant, and without one the first page.
 */
export function cursorParams(
  name: string,
  cursor: string | number,
  { lastKey, lastSentKey }: Moves,
): Readonly<Record<string, string | number>> {
  const isDeleted = lastKey !== lastSentKey && String(cursor) === lastSentKey;
  if (!isDeleted) return { [name]: cursor };
  return lastKey === undefined ? {} : { [name]: lastKey };
}

/** The params of a link, for the rows as they are now. */
export function moveBack(params: Readonly<Record<string, string>>, moves: Moves): Readonly<Record<string, string>> {
  const moved = Object.entries(params).map(([name, value]): Readonly<Record<string, string | number>> => {
    const kind = PAGE_PARAM.test(name) ? 'page' : OFFSET_PARAM.test(name) ? 'offset' : undefined;
    if (kind && /^\d+$/.test(value)) return { [name]: String(numberBack(Number(value), kind, moves)) };
    return CURSOR_PARAM.test(name) ? cursorParams(name, value, moves) : { [name]: value };
  });
  return Object.assign({}, ...moved) as Record<string, string>;
}
