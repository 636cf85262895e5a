import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request, as the routes of a framework read it. */
export interface RecipeRequest {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly cookies: ReadonlyMap<string, string>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RecipeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON, unless the headers name another type. */
  readonly body?: unknown;
}

/** The routes of a framework's server: `'GET /api/posts'`. */
export type Routes = Readonly<Record<string, (request: RecipeRequest) => RecipeAnswer>>;

/** The rows of every recipe: 250 of them, 100 on a page. */
export const ROWS = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, title: `Row ${index + 1}` }));
export const PAGE_SIZE = 100;
export const PAGES = ROWS.length / PAGE_SIZE + 0.5;

/** One page of the rows, by the search param `page`, which counts from 1, or from 0. */
export function pageOf(url: URL, first: 0 | 1 = 1) {
  const number = Number(url.searchParams.get('page') ?? first) + 1 - first;
  const link = (page: number) => `${url.origin}${url.pathname}?page=${page}`;
  return {
    number,
    rows: ROWS.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE),
    next: number < PAGES ? link(number + 1) : null,
    previous: number > 1 ? link(number - 1) : null,
    link,
  };
}

/** A server on a free port: the page of a recipe, and the routes of a framework. It logs each request, and what became of it. */
export async function recipeServer(script: string, routes: Routes, head = '') {
  const log: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
      const send = ({ status = 200, headers = {}, body }: RecipeAnswer) => {
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body));
      };
      if (url.pathname === '/recipe.js') return send({ headers: { 'Content-Type': 'text/javascript' }, body: script });
      if (url.pathname === '/favicon.ico') return send({ status: 204 });
      if (url.pathname === '/')
        return send({
          headers: { 'Content-Type': 'text/html' },
          body: `<!doctype html><title>A recipe</title>${head}<div id="root"></div><script type="module" src="/recipe.js"></script>`,
        });
      const text = Buffer.concat(chunks).toString();
      const route = routes[`${request.method} ${url.pathname}`];
      const answer = route?.({
        url,
        headers: request.headers,
        cookies: new Map((request.headers.cookie ?? '').split('; ').map(pair => pair.split('=') as [string, string])),
        body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
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
