// Servers that page five rows, two on a page, in the shapes of their documentation.

export const ROWS = ['1', '2', '3', '4', '5'].map(id => ({ id }));
const SIZE = 2;
const TOTAL = ROWS.length;
const PAGES = Math.ceil(TOTAL / SIZE);

type Params = Readonly<Record<string, string>>;

export interface PageServer {
  readonly name: string;
  /** Where the server's documentation shows this shape. */
  readonly source: string;
  /** The fields that lead to the rows. */
  readonly path: readonly string[];
  /** The resource's `paginationField`. @default none */
  readonly field?: string;
  /** The requests after the first one. */
  readonly requests: readonly string[];
  /** The total that the server says. @default 5 */
  readonly total?: number | 'unknown';
  readonly answer: (params: Params) => unknown;
}

const byPage = ({ page = '1' }: Params, first = 1) => {
  const number = Number(page);
  const index = number - first;
  return {
    number,
    rows: ROWS.slice(index * SIZE, (index + 1) * SIZE),
    hasNext: index + 1 < PAGES,
    isFirst: index === 0,
  };
};
const byOffset = (value = '0') => {
  const offset = Number(value);
  return { offset, rows: ROWS.slice(offset, offset + SIZE), hasNext: offset + SIZE < TOTAL };
};
/** The cursor is a text that names the last row. */
const byCursor = (cursor?: string) => {
  const { rows, offset, hasNext } = byOffset(cursor?.replace('after-', ''));
  return { rows, hasNext, next: `after-${offset + SIZE}` };
};
const byKey = (key?: string) => byOffset(key);

const DRF = 'https://www.django-rest-framework.org/api-guide/pagination/';
const LARAVEL = 'https://laravel.com/docs/pagination#converting-results-to-json';
const LARAVEL_RESOURCES = 'https://laravel.com/docs/eloquent-resources#pagination';
const SPRING = 'https://docs.spring.io/spring-data/commons/reference/repositories/core-extensions-web.html';
const PAGY = 'https://ddnexus.github.io/pagy/docs/extras/metadata/';

const PAGE_REQUESTS = ['page=2', 'page=3'];
const CURSOR_REQUESTS = ['cursor=after-2', 'cursor=after-4'];

export const SERVERS: readonly PageServer[] = [
  {
    name: 'Django REST framework, PageNumberPagination',
    source: `${DRF}#pagenumberpagination`,
    path: ['results'],
    field: 'page',
    requests: PAGE_REQUESTS,
    answer: params => {
      const { number, rows, hasNext, isFirst } = byPage(params);
      const link = (page: number) => `https://api.example.org/accounts/?page=${page}`;
      return {
        count: TOTAL,
        next: hasNext ? link(number + 1) : null,
        previous: isFirst ? null : link(number - 1),
        results: rows,
      };
    },
  },
  {
    name: 'Django REST framework, LimitOffsetPagination',
    source: `${DRF}#limitoffsetpagination`,
    path: ['results'],
    requests: ['limit=2&offset=2', 'limit=2&offset=4'],
    answer: params => {
      const { offset, rows, hasNext } = byOffset(params.offset);
      const link = `https://api.example.org/accounts/?limit=2&offset=${offset + SIZE}`;
      return { count: TOTAL, next: hasNext ? link : null, previous: null, results: rows };
    },
  },
  {
    name: 'Django REST framework, CursorPagination',
    source: `${DRF}#cursorpagination`,
    path: ['results'],
    field: 'cursor',
    requests: CURSOR_REQUESTS,
    total: 'unknown',
    answer: params => {
      const { rows, hasNext, next } = byCursor(params.cursor);
      return {
        next: hasNext ? `https://api.example.org/accounts/?cursor=${next}` : null,
        previous: null,
        results: rows,
      };
    },
  },
  {
    name: 'Laravel, API resources',
    source: LARAVEL_RESOURCES,
    path: ['data'],
    field: 'page',
    requests: PAGE_REQUESTS,
    answer: params => {
      const { number, rows, hasNext, isFirst } = byPage(params);
      const path = 'http://example.com/users';
      return {
        data: rows,
        links: {
          first: `${path}?page=1`,
          last: `${path}?page=${PAGES}`,
          prev: isFirst ? null : `${path}?page=${number - 1}`,
          next: hasNext ? `${path}?page=${number + 1}` : null,
        },
        meta: {
          current_page: number,
          from: 1,
          last_page: PAGES,
          links: [{ url: null, label: 'Next', active: false }],
          path,
          per_page: SIZE,
          to: 2,
          total: TOTAL,
        },
      };
    },
  },
  {
    name: 'Laravel, API resources without links',
    source: `${LARAVEL_RESOURCES} (customizing the pagination information)`,
    path: ['data'],
    requests: PAGE_REQUESTS,
    answer: params => {
      const { number, rows } = byPage(params);
      return { data: rows, meta: { current_page: number, last_page: PAGES, per_page: SIZE, total: TOTAL } };
    },
  },
  {
    name: 'Laravel, paginate()',
    source: LARAVEL,
    path: ['data'],
    requests: PAGE_REQUESTS,
    answer: params => {
      const { number, rows, hasNext } = byPage(params);
      const path = 'http://laravel.app';
      return {
        total: TOTAL,
        per_page: SIZE,
        current_page: number,
        last_page: PAGES,
        first_page_url: `${path}?page=1`,
        last_page_url: `${path}?page=${PAGES}`,
        next_page_url: hasNext ? `${path}?page=${number + 1}` : null,
        prev_page_url: null,
        path,
        from: 1,
        to: 2,
        links: [{ url: null, label: 'Next', active: false }],
        data: rows,
      };
    },
  },
  {
    name: 'Laravel, simplePaginate()',
    source: 'https://github.com/laravel/framework/blob/12.x/src/Illuminate/Pagination/Paginator.php (toArray)',
    path: ['data'],
    requests: PAGE_REQUESTS,
    total: 'unknown',
    answer: params => {
      const { number, rows, hasNext } = byPage(params);
      const next_page_url = hasNext ? `http://laravel.app?page=${number + 1}` : null;
      return {
        current_page: number,
        data: rows,
        first_page_url: 'http://laravel.app?page=1',
        from: 1,
        next_page_url,
        per_page: SIZE,
        to: 2,
      };
    },
  },
  {
    name: 'Laravel, cursorPaginate()',
    source: 'https://github.com/laravel/framework/blob/12.x/src/Illuminate/Pagination/CursorPaginator.php (toArray)',
    path: ['data'],
    requests: CURSOR_REQUESTS,
    total: 'unknown',
    answer: params => {
      const { rows, hasNext, next } = byCursor(params.cursor);
      const found = hasNext
        ? { next_cursor: next, next_page_url: `http://laravel.app?cursor=${next}` }
        : { next_cursor: null, next_page_url: null };
      return {
        data: rows,
        path: 'http://laravel.app',
        per_page: SIZE,
        ...found,
        prev_cursor: null,
        prev_page_url: null,
      };
    },
  },
  {
    name: 'Spring Data, Page',
    source: 'https://docs.spring.io/spring-data/commons/docs/current/api/org/springframework/data/domain/PageImpl.html',
    path: ['content'],
    field: 'page',
    requests: ['page=1', 'page=2'],
    answer: ({ page = '0' }) => {
      const { number, rows, hasNext, isFirst } = byPage({ page }, 0);
      const pageable = { pageNumber: number, pageSize: SIZE, offset: number * SIZE, paged: true, unpaged: false };
      const facts = { last: !hasNext, totalElements: TOTAL, totalPages: PAGES, size: SIZE, number, first: isFirst };
      return {
        content: rows,
        pageable,
        ...facts,
        sort: { sorted: false },
        numberOfElements: rows.length,
        empty: false,
      };
    },
  },
  {
    name: 'Spring Data, Slice',
    source:
      'https://docs.spring.io/spring-data/commons/docs/current/api/org/springframework/data/domain/SliceImpl.html',
    path: ['content'],
    requests: ['page=1', 'page=2'],
    total: 'unknown',
    answer: ({ page = '0' }) => {
      const { number, rows, hasNext, isFirst } = byPage({ page }, 0);
      return { content: rows, size: SIZE, number, first: isFirst, last: !hasNext, numberOfElements: rows.length };
    },
  },
  {
    name: 'Spring Data, PagedModel (VIA_DTO)',
    source: SPRING,
    path: ['content'],
    field: 'page',
    requests: ['page=1', 'page=2'],
    answer: ({ page = '0' }) => {
      const { number, rows } = byPage({ page }, 0);
      return { content: rows, page: { size: SIZE, number, totalElements: TOTAL, totalPages: PAGES } };
    },
  },
  {
    name: 'Spring Data REST, HAL',
    source: 'https://docs.spring.io/spring-data/rest/reference/paging-and-sorting.html',
    path: ['_embedded', 'accounts'],
    requests: ['page=1&size=2', 'page=2&size=2'],
    answer: ({ page = '0' }) => {
      const { number, rows, hasNext } = byPage({ page }, 0);
      const link = (to: number) => ({ href: `http://localhost:8080/accounts?page=${to}&size=2` });
      return {
        _embedded: { accounts: rows },
        _links: {
          first: link(0),
          self: link(number),
          ...(hasNext && { next: link(number + 1) }),
          last: link(PAGES - 1),
        },
        page: { size: SIZE, totalElements: TOTAL, totalPages: PAGES, number },
      };
    },
  },
  {
    name: 'JSON:API',
    source: 'https://jsonapi.org/format/#fetching-pagination',
    path: ['data'],
    requests: ['page[number]=2&page[size]=2', 'page[number]=3&page[size]=2'],
    total: 'unknown',
    answer: params => {
      const { number, rows, hasNext } = byPage({ page: params['page[number]'] ?? '1' });
      const link = (to: number) => `http://example.com/articles?page[number]=${to}&page[size]=2`;
      // “Keys MUST either be omitted or have a null value to indicate that a particular link is unavailable.”
      return {
        data: rows,
        links: { self: link(number), first: link(1), ...(hasNext && { next: link(number + 1) }), last: link(PAGES) },
      };
    },
  },
  {
    name: 'JSON:API, a link with meta',
    source: 'https://jsonapi.org/format/#document-links-link-object',
    path: ['data'],
    requests: ['page[cursor]=after-2', 'page[cursor]=after-4'],
    total: 'unknown',
    answer: params => {
      const { rows, hasNext, next } = byCursor(params['page[cursor]']);
      return { data: rows, links: { next: hasNext ? { href: `/articles?page[cursor]=${next}`, meta: {} } : null } };
    },
  },
  {
    name: 'Rails with pagy, metadata in the answer',
    source: PAGY,
    path: ['data'],
    requests: PAGE_REQUESTS,
    answer: params => {
      const { number, rows, hasNext } = byPage(params);
      const next = hasNext ? number + 1 : null;
      return {
        data: rows,
        pagy: { count: TOTAL, page: number, last: PAGES, pages: PAGES, next, next_url: next && `/posts?page=${next}` },
      };
    },
  },
  {
    name: 'a Link header (GitHub, Rails with pagy), read by withLinkHeader',
    source: 'https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api',
    path: ['results'],
    requests: ['per_page=2&page=2', 'per_page=2&page=3'],
    total: 'unknown',
    answer: params => {
      const { number, rows, hasNext } = byPage(params);
      const link = (page: number) => `https://api.github.com/repositories/1/issues?per_page=2&page=${page}`;
      return { results: rows, next: hasNext ? link(number + 1) : '', last: hasNext ? link(PAGES) : '' };
    },
  },
  {
    name: 'a Link header and X-Total (GitLab), read by withLinkHeader',
    source: 'https://docs.gitlab.com/api/rest/#pagination-response-headers',
    path: ['results'],
    field: 'page',
    requests: ['page=2&per_page=2', 'page=3&per_page=2'],
    answer: params => {
      const { number, rows, hasNext } = byPage(params);
      const link = (page: number) => `https://gitlab.example.com/api/v4/projects?page=${page}&per_page=2`;
      return { results: rows, next: hasNext ? link(number + 1) : '', last: link(PAGES), total: TOTAL };
    },
  },
  {
    name: 'Stripe',
    source: 'https://docs.stripe.com/api/pagination',
    path: ['data'],
    requests: ['starting_after=2', 'starting_after=4'],
    total: 'unknown',
    answer: params => {
      const { rows, hasNext } = byKey(params.starting_after);
      return { object: 'list', url: '/v1/customers', has_more: hasNext, data: rows };
    },
  },
  {
    name: 'Relay connections',
    source: 'https://relay.dev/graphql/connections.htm#sec-undefined.PageInfo',
    path: ['articles', 'nodes'],
    requests: ['after=after-2', 'after=after-4'],
    total: 'unknown',
    answer: params => {
      const { rows, hasNext, next } = byCursor(params.after);
      const pageInfo = { hasNextPage: hasNext, hasPreviousPage: false, startCursor: 'after-0', endCursor: next };
      return { articles: { nodes: rows, pageInfo } };
    },
  },
  {
    name: 'FastAPI Pagination, { items, total, page, pages }',
    source: 'https://uriyyo-fastapi-pagination.netlify.app/tutorials/page-number-pagination/',
    path: ['items'],
    field: 'page',
    requests: PAGE_REQUESTS,
    answer: params => {
      const { number, rows } = byPage(params);
      return { items: rows, total: TOTAL, page: number, size: SIZE, pages: PAGES };
    },
  },
  {
    name: '{ items, total } with a page number',
    source: 'https://fastapi.tiangolo.com/tutorial/query-params/ (an endpoint of the app)',
    path: ['items'],
    field: 'page',
    requests: PAGE_REQUESTS,
    answer: params => ({ items: byPage(params).rows, total: TOTAL }),
  },
  {
    name: '{ items, total, skip, limit }',
    source: 'https://dummyjson.com/docs (limit and skip)',
    path: ['items'],
    requests: ['skip=2', 'skip=4'],
    answer: params => {
      const { rows, offset } = byOffset(params.skip);
      return { items: rows, total: TOTAL, skip: offset, limit: rows.length };
    },
  },
  {
    name: '{ data, nextCursor }',
    source: 'https://trpc.io/docs/client/react/useInfiniteQuery (nextCursor), as REST',
    path: ['data'],
    requests: CURSOR_REQUESTS,
    total: 'unknown',
    answer: params => {
      const { rows, hasNext, next } = byCursor(params.cursor);
      return { data: rows, ...(hasNext && { nextCursor: next }) };
    },
  },
  {
    name: '{ data, next_cursor } that is null at the end',
    source: 'https://laravel.com/forge/docs/api-reference/pagination (meta.next_cursor, page[cursor])',
    path: ['data'],
    field: 'page[cursor]',
    requests: ['page[cursor]=after-2', 'page[cursor]=after-4'],
    total: 'unknown',
    answer: params => {
      const { rows, hasNext, next } = byCursor(params['page[cursor]']);
      return { data: rows, meta: { next_cursor: hasNext ? next : null } };
    },
  },
  {
    name: 'Google APIs',
    source: 'https://google.aip.dev/158',
    path: ['books'],
    requests: ['pageToken=after-2', 'pageToken=after-4'],
    total: 'unknown',
    answer: params => {
      const { rows, hasNext, next } = byCursor(params.pageToken);
      return { books: rows, nextPageToken: hasNext ? next : '' };
    },
  },
  {
    name: 'a bare list, by page number: one more request finds the end',
    source: 'https://github.com/typicode/json-server/tree/v0#paginate',
    path: [],
    field: '_page',
    requests: ['_page=2', '_page=3', '_page=4'],
    total: 'unknown',
    answer: params => byPage({ page: params._page ?? '1' }).rows,
  },
  {
    name: 'a bare list, by offset',
    source: 'https://docs.postgrest.org/en/stable/references/api/pagination_count.html',
    path: [],
    field: 'offset',
    requests: ['offset=2', 'offset=4', 'offset=5'],
    total: 'unknown',
    answer: params => byOffset(params.offset).rows,
  },
  {
    name: 'a bare list, by the last row’s key',
    source: 'https://docs.github.com/rest/users/users#list-users (since)',
    path: [],
    field: 'since',
    requests: ['since=2', 'since=4', 'since=5'],
    total: 'unknown',
    answer: params => byKey(params.since).rows,
  },
  {
    name: 'PocketBase, skipTotal',
    source: 'https://pocketbase.io/docs/api-records/#listsearch-records (skipTotal)',
    path: ['items'],
    field: 'page',
    requests: [...PAGE_REQUESTS, 'page=4'],
    total: 'unknown',
    answer: params => {
      const { number, rows } = byPage(params);
      return { page: number, perPage: SIZE, totalItems: -1, totalPages: -1, items: rows };
    },
  },
  {
    name: 'Directus, with a filter',
    source: 'https://directus.io/docs/guides/connect/query-parameters#metadata',
    path: ['data'],
    field: 'page',
    requests: PAGE_REQUESTS,
    answer: params => ({ data: byPage(params).rows, meta: { filter_count: TOTAL, total_count: 90 } }),
  },
  {
    name: 'Elasticsearch',
    source: 'https://www.elastic.co/docs/reference/elasticsearch/rest-apis/paginate-search-results',
    path: ['hits', 'hits'],
    field: 'from',
    requests: ['from=2', 'from=4', 'from=5'],
    total: 'unknown',
    answer: params => ({
      took: 5,
      hits: { total: { value: TOTAL, relation: 'eq' }, max_score: null, hits: byOffset(params.from).rows },
    }),
  },
  {
    name: 'Express, { count, pagination: { next: { page, limit } } }',
    source: 'https://github.com/bradtraversy/devcamper-api/blob/master/middleware/advancedResults.js',
    path: ['data'],
    field: 'page',
    requests: [...PAGE_REQUESTS, 'page=4'],
    total: 'unknown',
    answer: params => {
      const { number, rows, hasNext, isFirst } = byPage(params);
      const pagination = {
        ...(hasNext && { next: { page: number + 1, limit: SIZE } }),
        ...(!isFirst && { prev: { page: number - 1, limit: SIZE } }),
      };
      return { success: true, count: rows.length, pagination, data: rows };
    },
  },
  {
    name: 'API Platform, Hydra',
    source: 'https://api-platform.com/docs/core/pagination/',
    path: ['hydra:member'],
    requests: PAGE_REQUESTS,
    answer: params => {
      const { number, rows, hasNext } = byPage(params);
      const link = (page: number) => `/books?page=${page}`;
      const view = {
        '@id': link(number),
        'hydra:first': link(1),
        'hydra:last': link(PAGES),
        ...(hasNext && { 'hydra:next': link(number + 1) }),
      };
      return { '@id': '/books', 'hydra:member': rows, 'hydra:totalItems': TOTAL, 'hydra:view': view };
    },
  },
  {
    name: 'API Platform, Hydra without prefix',
    source: 'https://api-platform.com/docs/core/pagination/ (hydra_prefix: false)',
    path: ['member'],
    requests: PAGE_REQUESTS,
    answer: params => {
      const { number, rows, hasNext } = byPage(params);
      const next = hasNext && { next: `/books?page=${number + 1}` };
      return { member: rows, totalItems: TOTAL, view: { '@id': '/books', first: '/books?page=1', ...next } };
    },
  },
  {
    name: 'Contentful, by cursor',
    source: 'https://www.contentful.com/developers/docs/references/content-delivery-api/#cursor-based-pagination',
    path: ['items'],
    requests: ['limit=2&pageNext=after-2', 'limit=2&pageNext=after-4'],
    total: 'unknown',
    answer: params => {
      const { rows, hasNext, next } = byCursor(params.pageNext);
      const pages = hasNext ? { next: `/spaces/1/entries?limit=2&pageNext=${next}` } : {};
      return { sys: { type: 'Array' }, limit: SIZE, pages, items: rows };
    },
  },
  {
    name: 'Contentful, by skip and limit',
    source: 'https://www.contentful.com/developers/docs/references/content-delivery-api/#pagination',
    path: ['items'],
    requests: ['skip=2', 'skip=4'],
    answer: params => {
      const { rows, offset } = byOffset(params.skip);
      return { sys: { type: 'Array' }, total: TOTAL, skip: offset, limit: SIZE, items: rows };
    },
  },
  {
    name: 'Azure, { items, continuationToken }',
    source: 'https://github.com/microsoft/api-guidelines/blob/vNext/azure/Guidelines.md#collections',
    path: ['items'],
    requests: ['continuationToken=after-2', 'continuationToken=after-4'],
    total: 'unknown',
    answer: params => {
      const { rows, hasNext, next } = byCursor(params.continuationToken);
      return { items: rows, continuationToken: hasNext ? next : null, count: rows.length };
    },
  },
  {
    name: 'Jira, { startAt, total }',
    source: 'https://developer.atlassian.com/cloud/jira/platform/rest/v3/intro/#pagination',
    path: ['values'],
    requests: ['startAt=2', 'startAt=4'],
    answer: params => {
      const { rows, offset, hasNext } = byOffset(params.startAt);
      return { startAt: offset, maxResults: SIZE, total: TOTAL, isLast: !hasNext, values: rows };
    },
  },
  {
    name: 'Amazon API Gateway, { Items, NextToken }',
    source: 'https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis.html',
    path: ['Items'],
    requests: ['nextToken=after-2', 'nextToken=after-4'],
    total: 'unknown',
    answer: params => {
      const { rows, hasNext, next } = byCursor(params.nextToken);
      return { Items: rows, ...(hasNext && { NextToken: next }) };
    },
  },
  {
    name: 'OData 4, server-driven paging',
    source: 'https://docs.oasis-open.org/odata/odata/v4.01/odata-v4.01-part1-protocol.html#sec_ServerDrivenPaging',
    path: ['value'],
    requests: ['$count=true&$skiptoken=2', '$count=true&$skiptoken=4'],
    answer: params => {
      const { rows, hasNext, offset } = byOffset(params.$skiptoken);
      const link = `https://api.example.com/Articles?$count=true&$skiptoken=${offset + SIZE}`;
      return { '@odata.count': TOTAL, value: rows, ...(hasNext && { '@odata.nextLink': link }) };
    },
  },
  {
    name: 'OData 2',
    source: 'https://www.odata.org/documentation/odata-version-2-0/json-format/',
    path: ['d', 'results'],
    requests: ['$skiptoken=2', '$skiptoken=4'],
    answer: params => {
      const { rows, hasNext, offset } = byOffset(params.$skiptoken);
      const next = hasNext && { __next: `https://api.example.com/Articles?$skiptoken=${offset + SIZE}` };
      return { d: { results: rows, __count: String(TOTAL), ...next } };
    },
  },
  {
    name: 'Strapi 4 and 5',
    source: 'https://docs.strapi.io/cms/api/rest/sort-pagination#pagination',
    path: ['data'],
    field: 'pagination[page]',
    requests: ['pagination[page]=2', 'pagination[page]=3'],
    answer: params => {
      const { number, rows } = byPage({ page: params['pagination[page]'] ?? '1' });
      return { data: rows, meta: { pagination: { page: number, pageSize: SIZE, pageCount: PAGES, total: TOTAL } } };
    },
  },
  {
    name: 'PocketBase',
    source: 'https://pocketbase.io/docs/api-records/#listsearch-records',
    path: ['items'],
    requests: PAGE_REQUESTS,
    answer: params => {
      const { number, rows } = byPage(params);
      return { page: number, perPage: SIZE, totalItems: TOTAL, totalPages: PAGES, items: rows };
    },
  },
];
