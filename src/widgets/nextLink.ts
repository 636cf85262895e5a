import type { NextPage } from './NextPage.js';

export interface NextLinkOptions {
  /** The field of the answer that holds the link. @default 'next' */
  field?: string;
}

/**
 * The next page by a link that the answer holds, absolute or not, as Django REST framework and `withLinkHeader` have it.
 *
 * Only the link's search params are used, with the resource's own address: wherever a link points, credentials stay at home.
 *
 * @throws TypeError when the link has no search params.
 * @example
 * const ArticleResource = hookifyResource(
 *   resource({ path: '/article/:id', schema: Article, paginationField: 'page' }).extend('getList', {
 *     schema: { results: new Collection([Article]), next: '' },
 *   }),
 * );
 * <PaginatedList resource={ArticleResource} next={nextLink()} renderItem={…} />
 */
export function nextLink({ field = 'next' }: NextLinkOptions = {}): NextPage {
  return ({ body }) => {
    const link = (body as Record<string, unknown>)[field];
    if (typeof link !== 'string' || link === '') return undefined;
    const params = Object.fromEntries(new URL(link, 'https://relative.invalid').searchParams);
    if (Object.keys(params).length === 0) {
      throw new TypeError(`The next link ${JSON.stringify(link)} has no search params, and its path is not followed. Tell PaginatedList the next page by a \`next\` function of your own.`);
    }
    return params;
  };
}
