import type { EndpointInterface } from '../../dataClient/rest.js';
import type { LooseEndpoint } from '../shared/resourceTypes.js';

/** A list endpoint whose response is `{ results, next }`. */
type Linked<G extends EndpointInterface> = ((...args: Parameters<G>) => ReturnType<G>) &
  Omit<G, 'schema'> & { readonly schema: { results: G['schema']; next: string } };

/** A resource whose list is `{ results, next }`, with the `next` link of the `Link` header. */
export type LinkedResource<R extends { getList: EndpointInterface }> = Omit<R, 'getList'> & {
  getList: Linked<R['getList']>;
};

/**
 * Extends a resource whose server sends the next page in the `Link` header, as GitHub does. The list becomes `{ results, next }`, which
 * `nextLink()` reads. `PaginatedList` detects it without a `next` prop.
 *
 * @example
 * const ArticleResource = hookifyResource(
 *   withLinkHeader(resource({ path: '/article/:id', schema: Article, paginationField: 'page' })),
 * );
 * @see https://www.rfc-editor.org/rfc/rfc8288#section-3
 */
export function withLinkHeader<R extends { getList: EndpointInterface }>(resource: R): LinkedResource<R> {
  const getList = resource.getList as unknown as LooseEndpoint & {
    parseResponse: (response: Response) => Promise<unknown>;
  };
  const { parseResponse } = getList;
  const linked = getList.extend({
    schema: { results: getList.schema as unknown, next: '' },
    // `push` and `unshift` are made from the list, but their response is the new row alone.
    async parseResponse(this: { readonly method: string }, response: Response) {
      const body = await parseResponse.call(this, response);
      return this.method === 'GET' ? { results: body, next: findNextLink(response.headers.get('Link')) } : body;
    },
  });
  return { ...resource, getList: linked } as unknown as LinkedResource<R>;
}

/** The URL with `rel="next"`: `<https://api.example.com/article?page=2>; rel="next", <…>; rel="last"`. */
function findNextLink(header: string | null): string {
  const links = (header ?? '').matchAll(/<([^>]*)>([^<]*)/g);
  const next = [...links].find(([, , attributes = '']) =>
    /;\s*rel\s*=\s*("[^"]*\bnext\b[^"]*"|next\b)/i.test(attributes),
  );
  return next?.[1] ?? '';
}
