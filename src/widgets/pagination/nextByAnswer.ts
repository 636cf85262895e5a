import { nextCursor } from './nextCursor.js';
import { nextLink } from './nextLink.js';
import type { NextPage } from './NextPage.js';
import { nextPageNumber } from './nextPageNumber.js';

const byLink = nextLink();
const byCursor = nextCursor();
const byNumber = nextPageNumber();

/**
 * The next page as the answer suggests: by its `next` link, by its cursor field, and of an answer that is the bare list by the
 * number (when the resource's `paginationField` speaks of pages) or else by the key of the last row.
 */
export const nextByAnswer: NextPage = loaded => {
  const { body, field = '' } = loaded;
  if (Array.isArray(body)) return /page/i.test(field) ? byNumber(loaded) : byCursor(loaded);
  return 'next' in (body as object) ? byLink(loaded) : byCursor(loaded);
};
