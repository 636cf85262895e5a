import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
};
const CSRF = 'csrf-of-this-session';

/** A small real server for the built app: pages, and notes that only somebody signed in sees. */
export async function notesServer(folder: string) {
  const log: string[] = [];
  const notes = [{ id: '1', title: 'Buy ink' }];

  const isKnown = ({ headers, method }: IncomingMessage) =>
    headers.authorization === 'Bearer for-ada' ||
    (headers.cookie?.includes('sid=ada') === true && (method === 'GET' || headers['x-csrftoken'] === CSRF));

  const server = createServer((request, response) => {
    const answer = (status: number, body?: unknown, headers: Record<string, string | string[]> = {}) => {
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...headers })
        .end(body === undefined ? undefined : JSON.stringify(body));
    };
    const path = new URL(request.url ?? '/', 'http://here').pathname;
    if (!path.startsWith('/api/')) {
      const file = extname(path) ? path : '/index.html';
      readFile(join(folder, file)).then(
        content => response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain' }).end(content),
        () => answer(404),
      );
      return;
    }
    let body = '';
    request.on('data', part => (body += part));
    request.on('end', () => {
      log.push(`${request.method} ${path} ${isKnown(request) ? 'ada' : 'nobody'}`);
      const user = { id: 'ada', name: 'Ada' };
      if (path === '/api/login')
        return answer(
          200,
          { accessToken: 'for-ada', refreshToken: 'once', user },
          { 'Set-Cookie': ['sid=ada; HttpOnly; Path=/', `csrftoken=${CSRF}; Path=/`] },
        );
      if (path === '/api/whoami') return isKnown(request) ? answer(200, user) : answer(401);
      if (!isKnown(request)) return answer(401);
      if (path === '/api/logout') return answer(204, undefined, { 'Set-Cookie': 'sid=; Max-Age=0; Path=/' });
      if (request.method === 'GET') return answer(200, notes);
      if (request.method === 'DELETE') {
        notes.splice(
          notes.findIndex(({ id }) => path.endsWith(`/${id}`)),
          1,
        );
        return answer(204);
      }
      const made = { id: String(notes.length + 1), ...(JSON.parse(body) as { title: string }) };
      notes.push(made);
      return answer(201, made);
    });
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Each call as it arrived, and as whom. */
    log,
    close: () =>
      new Promise<unknown>(closed => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}
