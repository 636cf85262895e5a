import type { EndpointInterface } from '../../rest.js';
import type { LooseEndpoint } from '../shared/resourceTypes.js';

/** A list endpoint whose answer is `{ results, next }`. */
type Linked<G extends EndpointInterface> = ((...args: Parameters<G>) => ReturnType<G>) &
  Omit<G, 'schema'> & { readonly schema: { results: G['schema']; next: string } };

/** A resource whose list is `{ results, next }`, with the `next` link of the `Link` header. */
export type LinkedResource<R extends { getList: EndpointInterface }> = Omit<R, 'getList'> & { getList: Linked<R['getList']> };

/** `<https://api.example.com/article?page=2>; rel="next", <…>; rel="last"`: what stands in the brackets before `rel="next"`. */
function findNextLink(header: string | null): string {
  const links = (header ?? '').matchAll(/<([^>]*)>([^<]*)/g);
  const next = [...links].find(([, , attributes = '']) => /;\s*rel\s*=\s*("[^"]*\bnext\b[^"]*"|next\b)/i.test(attributes));
  return next?.[1] ?? '';
}

/**
 * Extends a resource whose server tells the next page in the `Link` header, as GitHub does: the list becomes
 * `{ results, next }`, which `nextLink()` understands, and `PaginatedList` by itself.
 *
 * @example
 * const ArticleResource = hookifyResource(
 *   withLinkHeader(resource({ path: '/article/:id', schema: Article, paginationField: 'page' })),
 * );
 * @see https://www.rfc-editor.org/rfc/rfc8288#section-3
 */
export function withLinkHeader<R extends { getList: EndpointInterface }>(resource: R): LinkedResource<R> {
  const getList = resource.getList as unknown as LooseEndpoint & { parseResponse: (response: Response) => Promise<unknown> };
  const { parseResponse } = getList;
  const linked = getList.extend({
    schema: { results: getList.schema as unknown, next: '' },
    // `push` and `unshift` are made from the list, and answer with the new row alone.
    async parseResponse(this: { readonly method: string }, response: Response) {
      const answer = await parseResponse.call(this, response);
      return this.method === 'GET' ? { results: answer, next: findNextLink(response.headers.get('Link')) } : answer;
    },
  });
  return { ...resource, getList: linked } as unknown as LinkedResource<R>;
}
