import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

async function jsonOf<T>(request: IncomingMessage): Promise<T> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as T;
}

/**
 * A real server with a cookie that every answer sets anew, and with one-use refresh tokens: a spent one that comes again ends its session.
 * It counts requests of a screen that arrive with the cookie of another user.
 */
export async function sessionServer(script: string) {
  const seen = { served: 0, crossed: 0, whoami: 0, logouts: 0, refreshes: 0, twice: 0 };
  /** What tests change: how long answers take, and whether a sign-out is refused. */
  const how = { whoamiMs: 5, loginMs: 20, noteMs: 60, refusesLogout: false };
  const sessions = new Map<string, { number: number; isOver: boolean; readonly spent: Set<string> }>();
  const server = createServer((request, response) => void respond(request, response));
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '/', 'http://server');
    const who = /who=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
    const rolled: Record<string, string> = who ? { 'set-cookie': `who=${who}; Path=/; HttpOnly` } : {};
    const answer = (status: number, headers: Record<string, string>, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    switch (url.pathname) {
      case '/login': {
        const { as } = await jsonOf<{ as: string }>(request);
        await sleep(how.loginMs);
        return answer(204, { 'set-cookie': `who=${as}; Path=/; HttpOnly` });
      }
      case '/logout':
        seen.logouts++;
        await sleep(10);
        return how.refusesLogout ? answer(500, {}) : answer(204, { 'set-cookie': 'who=; Path=/; Max-Age=0' });
      case '/whoami':
        seen.whoami++;
        await sleep(how.whoamiMs);
        return who ? answer(200, rolled, { id: who }) : answer(401, {}, {});
      case '/note':
        seen.served++;
        if (who && url.searchParams.get('screen') !== who) seen.crossed++;
        await sleep(Math.random() * how.noteMs);
        return answer(200, rolled, { who });
      case '/tokens': {
        const { as } = await jsonOf<{ as: string }>(request);
        const id = String(sessions.size + 1);
        sessions.set(id, { number: 1, isOver: false, spent: new Set() });
        await sleep(Math.random() * 10);
        return answer(200, {}, { accessToken: `${as}:${id}:1`, refreshToken: `${as}:${id}:1` });
      }
      case '/refresh': {
        const { refreshToken } = await jsonOf<{ refreshToken: string }>(request);
        const [as, id = '', number = ''] = refreshToken.split(':');
        const session = sessions.get(id)!;
        seen.refreshes++;
        await sleep(Math.random() * 15);
        if (session.spent.has(number)) {
          seen.twice++;
          session.isOver = true;
        }
        session.spent.add(number);
        if (session.isOver) return answer(401, {}, {});
        session.number++;
        const next = `${as}:${id}:${session.number}`;
        return answer(200, {}, { accessToken: next, refreshToken: next });
      }
      case '/end': {
        const { refreshToken } = await jsonOf<{ refreshToken: string }>(request);
        const [, id = '', number] = refreshToken.split(':');
        const session = sessions.get(id);
        // Only the newest token ends a session.
        if (session && String(session.number) === number) session.isOver = true;
        return answer(200, {}, {});
      }
      case '/page.js':
        response.writeHead(200, { 'content-type': 'text/javascript' });
        return response.end(script);
      default:
        response.writeHead(200, { 'content-type': 'text/html' });
        return response.end(`<!doctype html><title>tab</title><script type="module" src="/page.js"></script>`);
    }
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    seen,
    how,
    reset: () => void Object.assign(seen, { served: 0, crossed: 0, whoami: 0, logouts: 0, refreshes: 0, twice: 0 }),
    /** Server sessions that nobody has ended. */
    alive: () => [...sessions.values()].filter(({ isOver }) => !isOver).length,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
