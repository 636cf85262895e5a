import type { EndpointInterface } from '../../dataClient/rest.js';
import type { LooseEndpoint } from '../shared/resource.js';
import { toWholeNumber } from './pageFacts.js';

/** A list endpoint whose response is `{ results, next, last, total }`. */
type Linked<G extends EndpointInterface> = ((...args: Parameters<G>) => ReturnType<G>) &
  Omit<G, 'schema'> & {
    readonly schema: { results: G['schema']; next: string; last: string; total: number | undefined };
  };

/** A resource whose list is `{ results, next, last, total }`, with the links of the `Link` header. */
export type LinkedResource<R extends { getList: EndpointInterface }> = Omit<R, 'getList'> & {
  getList: Linked<R['getList']>;
};

/** The headers with the number of all rows: Gitea and json-server, pagy, GitLab, WordPress, api-pagination. */
const TOTAL_HEADERS = ['X-Total-Count', 'Total-Count', 'X-Total', 'X-WP-Total', 'Total'];

/**
 * Extends a resource whose server sends the next page in the `Link` header, as GitHub does. The list becomes
 * `{ results, next, last, total }`, which `PaginatedList` understands without a `next` prop: `next` and `last` are the links to these pages, or
 * empty texts, and `total` is the number of all rows, where a header such as `X-Total-Count`, `Total-Count` or `X-Total` says it.
 *
 * A page of another origin reads these headers only if the server lists them in `Access-Control-Expose-Headers`. Without that, a list looks
 * as if it had one page.
 *
 * @example
 * const Articles = hookifyResource(
 *   withLinkHeader(resource({ path: '/article/:id', schema: Article, paginationField: 'page' })),
 * );
 * @see https://www.rfc-editor.org/rfc/rfc8288#section-3
 */
export function withLinkHeader<R extends { getList: EndpointInterface }>(resource: R): LinkedResource<R> {
  const getList = resource.getList as unknown as LooseEndpoint;
  const { parseResponse } = getList;
  const linked = getList.extend({
    schema: { results: getList.schema as unknown, next: '', last: '', total: 0 },
    // `push` and `unshift` are made from the list, but their response is the new row alone.
    async parseResponse(this: { readonly method: string }, response: Response) {
      const body = await parseResponse.call(this, response);
      return this.method === 'GET' ? { results: body, ...readHeaders(response.headers) } : body;
    },
  });
  return { ...resource, getList: linked } as unknown as LinkedResource<R>;
}

function readHeaders(headers: Headers) {
  const links = headers.get('Link');
  const total = TOTAL_HEADERS.map(name => toWholeNumber(headers.get(name))).find(number => number !== undefined);
  return { next: findLink(links, 'next'), last: findLink(links, 'last'), ...(total !== undefined && { total }) };
}

/** The URL with this `rel`: `<https://api.example.com/article?page=2>; rel="next", <…>; rel="last"`. */
function findLink(header: string | null, rel: 'next' | 'last'): string {
  const isMeant = new RegExp(`;\\s*rel\\s*=\\s*("[^"]*\\b${rel}\\b[^"]*"|${rel}\\b)`, 'i');
  const links = (header ?? '').matchAll(/<([^<>]*)>((?:[^<"]|"[^"]*")*)/g);
  return [...links].find(([, , attributes = '']) => isMeant.test(attributes))?.[1] ?? '';
}
