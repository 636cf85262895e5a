import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** With these the browser's clock ticks in microseconds, not in tenths of a millisecond. */
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** How one API checks tokens. */
export interface Rules {
  /** `current`: only the token that was given out last; `any`: whoever asks is the person that the token names; `none`: nobody. */
  accepts: 'current' | 'any' | 'none';
  /** Whether the refresh token is still good, for one use. */
  renews?: boolean;
  /** How long each answer takes, in milliseconds. */
  delayMs?: number;
  /** The id whose first refusal waits until another request was answered, and this many milliseconds more. */
  lateMs?: { id: string; ms: number };
}

/** What reached one API. */
export interface Counted {
  /** Requests for data. */
  calls: number;
  /** Requests for a new token, granted or not. */
  refreshes: number;
}

const LIST = 1_000;

const after = (ms: number) => new Promise(done => setTimeout(done, ms));

/** A server on a free port of this computer: the page, and any number of APIs, each at an address of its own. */
export async function benchServer(folder: string) {
  const apis: ReturnType<typeof createApi>[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const [, number, path = ''] = /^\/api\/(\d+)(\/.*)$/.exec(pathname) ?? [];
    void (number === undefined
      ? answerFile(folder, pathname, response)
      : apis[Number(number)]?.answer(path, request, response));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Opens an API with counters of its own. */
    open: (rules: Rules) => {
      const api = createApi(rules);
      return { base: `/api/${apis.push(api) - 1}`, counted: api.counted, expire: api.expire };
    },
    close: () =>
      new Promise<void>(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function answerFile(folder: string, path: string, response: ServerResponse): Promise<void> {
  const file = path === '/' ? '/index.html' : path;
  const content = await readFile(join(folder, file)).catch(() => undefined);
  response
    .writeHead(content ? 200 : 404, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain', ...ISOLATED })
    .end(content ?? 'Not found');
}

function createApi({ accepts, renews = true, delayMs = 0, lateMs }: Rules) {
  const counted: Counted = { calls: 0, refreshes: 0 };
  let generation = 0;
  let expired = 0;
  let otherAnswered!: () => void;
  const afterAnother = new Promise<void>(done => (otherAnswered = done));
  let isLate = lateMs !== undefined;

  const refresh = (refreshToken: unknown) => {
    counted.refreshes++;
    if (!renews || refreshToken !== `refresh-${generation}`) return undefined;
    generation++;
    return { accessToken: `access-${generation}`, refreshToken: `refresh-${generation}` };
  };

  const isAccepted = (token: string) =>
    accepts === 'any' || (accepts === 'current' && generation > expired && token === `access-${generation}`);

  async function answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body =
      request.method === 'POST'
        ? (JSON.parse(await text(request)) as {
            refreshToken?: string;
            query?: string;
            variables?: { id?: string; refreshToken?: string };
          })
        : {};
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const send = (status: number, content: object) =>
      response
        .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
        .end(JSON.stringify(content));
    const isGraph = path === '/graphql';
    const wrap = (data: object) => (isGraph ? { data } : (Object.values(data)[0] as object));

    if (path === '/refresh' || body.query?.trimStart().startsWith('mutation')) {
      const tokens = refresh(body.refreshToken ?? body.variables?.refreshToken);
      await after(delayMs);
      return void send(tokens ? 200 : 401, tokens ? wrap({ refresh: tokens }) : { message: 'Refused' });
    }
    if (delayMs > 0 && (path === '/whoami' || path === '/note')) await after(delayMs);
    if (path === '/whoami') return void send(200, { id: 'ada' });
    counted.calls++;
    if (path === '/note')
      return void send(
        200,
        Array.from({ length: LIST }, (_, place) => ({ id: `${place}`, title: `Note ${place} of ${token}` })),
      );
    const id = body.variables?.id ?? path.replace(/^\/(data|note)\//, '');
    const good = isAccepted(token);
    if (delayMs > 0) await after(delayMs);
    if (!good && isLate && lateMs?.id === id) {
      isLate = false;
      await afterAnother.then(() => after(lateMs.ms));
    }
    if (good && id !== lateMs?.id) otherAnswered();
    send(
      good ? 200 : 401,
      good ? wrap({ note: { id, title: `Note ${id} of ${token}` } }) : { message: 'Unauthorized' },
    );
  }

  return {
    counted,
    answer,
    /** The newest token is refused from now on, until it is refreshed. */
    expire: () => (expired = generation),
  };
}
