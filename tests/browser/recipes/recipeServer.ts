import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request, as the routes of a framework read it. */
export interface RecipeRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly cookies: ReadonlyMap<string, string>;
  readonly body: Readonly<Record<string, unknown>>;
  /** What the path has in place of `:id`. */
  readonly id: number;
}

export interface RecipeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON, unless the headers name another type. */
  readonly body?: unknown;
}

/** The routes of a framework's server: `'GET /api/posts'`, `'PATCH /api/posts/:id'`. */
export type Routes = Readonly<Record<string, (request: RecipeRequest) => RecipeAnswer>>;

export interface Row {
  readonly id: number;
  readonly title: string;
}

export const PAGE_SIZE = 100;

/** The rows of every recipe: 250 of them, 100 on a page. */
export const createRows = (): Row[] =>
  Array.from({ length: 250 }, (_, index) => ({ id: index + 1, title: `Row ${index + 1}` }));

export const pagesOf = (rows: readonly Row[]) => Math.ceil(rows.length / PAGE_SIZE);

/** One page of the rows, by the search param `page`, which counts from 1, or from 0. */
export function pageOf(rows: readonly Row[], url: URL, first: 0 | 1 = 1) {
  const number = Number(url.searchParams.get('page') ?? first) + 1 - first;
  const link = (page: number) => `${url.origin}${url.pathname}?page=${page}`;
  return {
    number,
    rows: rows.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE),
    next: number < pagesOf(rows) ? link(number + 1) : null,
    previous: number > 1 ? link(number - 1) : null,
    link,
  };
}

interface WriteRules {
  /** `/api/posts/:id`: the path of one row. */
  readonly path: string;
  /** Who is not signed in, or has no token: the refusal. */
  readonly refuse: (request: RecipeRequest) => RecipeAnswer | undefined;
  /** The framework's answer to a row without a title. */
  readonly invalid: RecipeAnswer;
  /** The status of a new row's answer. @default 201 */
  readonly created?: number;
  /** The status of a deletion's answer, which is empty. @default 204 */
  readonly deleted?: number;
}

/** The routes that read, create, replace, change and delete one row. A row needs a title. */
export function writeRoutes(rows: Row[], { path, refuse, invalid, created = 201, deleted = 204 }: WriteRules): Routes {
  let highest = rows.length;
  const notFound = { status: 404, body: { message: 'Not found.' } };
  const find = ({ id }: RecipeRequest) => rows.find(row => row.id === id);
  const guarded = (route: Routes[string]) => (request: RecipeRequest) => refuse(request) ?? route(request);
  const change = (of: (request: RecipeRequest, old: Row) => RecipeAnswer) =>
    guarded(request => {
      const old = find(request);
      return old ? of(request, old) : notFound;
    });
  const save = (status: number, { body }: RecipeRequest, old: { id: number; title?: string }): RecipeAnswer => {
    const { title = old.title } = body;
    if (typeof title !== 'string' || title.trim() === '') return invalid;
    const row = { id: old.id, title };
    highest = Math.max(highest, row.id);
    const index = rows.findIndex(({ id }) => id === row.id);
    if (index < 0) rows.push(row);
    else rows[index] = row;
    return { status, body: row };
  };
  return {
    [`GET ${path}`]: change((_, row) => ({ body: row })),
    [`POST ${path.replace('/:id', '')}`]: guarded(request => save(created, request, { id: highest + 1 })),
    [`PUT ${path}`]: change((request, { id }) => save(200, request, { id })),
    [`PATCH ${path}`]: change((request, old) => save(200, request, old)),
    [`DELETE ${path}`]: change((_, row) => {
      rows.splice(rows.indexOf(row), 1);
      return { status: deleted };
    }),
  };
}

const OF_THE_PAGE = new Set(['/', '/recipe.js', '/favicon.ico']);

/** A server on a free port: the page of a recipe, and the routes of a framework, or its app. It logs each request, and what became of it. */
export async function recipeServer(script: string, routes: Routes | RequestListener, head = '') {
  const log: string[] = [];
  const server = createServer((request, response) => {
    if (typeof routes === 'function' && !OF_THE_PAGE.has(request.url ?? '')) {
      const line = `${request.method} ${request.url}`;
      response.on('finish', () => log.push(`${line} ${response.statusCode}`));
      return routes(request, response);
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
      const send = ({ status = 200, headers = {}, body }: RecipeAnswer) => {
        response.writeHead(status, { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers });
        response.end(typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body));
      };
      if (url.pathname === '/recipe.js') return send({ headers: { 'Content-Type': 'text/javascript' }, body: script });
      if (url.pathname === '/favicon.ico') return send({ status: 204 });
      if (url.pathname === '/')
        return send({
          headers: { 'Content-Type': 'text/html' },
          body: `<!doctype html><title>A recipe</title>${head}<div id="root"></div><script type="module" src="/recipe.js"></script>`,
        });
      // The frameworks read JSON in a request that says so.
      const isJson = request.headers['content-type']?.startsWith('application/json') && chunks.length > 0;
      const [id] = /\d+(?=\/?$)/.exec(url.pathname) ?? [];
      const path = url.pathname.replace(/\d+(?=\/?$)/, ':id');
      const answer = (routes as Routes)[`${request.method} ${path}`]?.({
        method: request.method ?? '',
        id: Number(id),
        url,
        headers: request.headers,
        cookies: new Map((request.headers.cookie ?? '').split('; ').map(pair => pair.split('=') as [string, string])),
        body: isJson ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>) : {},
      }) ?? { status: 404, body: { message: 'Not found.' } };
      log.push(`${request.method} ${url.pathname}${url.search} ${answer.status ?? 200}`);
      send(answer);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
