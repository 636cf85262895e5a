import { RequestError } from '../../errors.js';
import type { NextPage } from './NextPage.js';

export interface NextLinkOptions {
  /** The field of the response that holds the link. @default 'next' */
  field?: string;
}

/** Makes relative links parseable; no request goes to it. */
export const RELATIVE_BASE = 'https://relative.invalid';

/**
 * Finds the next page by a link in the response, absolute or relative, as Django REST framework and `withLinkHeader` provide it.
 *
 * Only the link's search params are used, with the resource's own URL. A link to another origin gets no credentials.
 *
 * @throws NextLinkError when the link is not a URL or has no search params. `PaginatedList` shows it, and the rows stay.
 * @example
 * const ArticleResource = hookifyResource(
 *   resource({ path: '/article/:id', schema: Article, paginationField: 'page', rows: 'results' }),
 * );
 * <PaginatedList resource={ArticleResource} next={nextLink()} renderItem={…} />
 */
export function nextLink({ field = 'next' }: NextLinkOptions = {}): NextPage {
  return ({ body }) => {
    const link = (body as Record<string, unknown>)[field];
    return typeof link === 'string' && link !== '' ? linkParams(link) : undefined;
  };
}

/** The search params of a link. @throws NextLinkError when it is not a URL or has none. */
export function linkParams(link: string): Readonly<Record<string, string>> {
  if (!URL.canParse(link, RELATIVE_BASE)) throw new NextLinkError(link, 'is not an address');
  const params = Object.fromEntries(new URL(link, RELATIVE_BASE).searchParams);
  if (Object.keys(params).length === 0)
    throw new NextLinkError(link, 'has no search params, and its path is not followed');
  return params;
}

/** The response's link to the next page cannot be used. With a `status` it is shown like a page that could not be fetched. */
export class NextLinkError extends RequestError {
  override readonly name = 'NextLinkError';
  readonly status = 502;

  constructor(link: string, problem: string) {
    super(
      `The next link ${JSON.stringify(link)} ${problem}. Tell PaginatedList the next page by a \`next\` function of your own.`,
    );
  }
}
