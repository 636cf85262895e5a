// A static server for the built Storybook, on a free port that only this computer can reach.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join, resolve, sep } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** @returns {Promise<{ url: string, close: () => Promise<void> }>} */
export async function serve(folder) {
  const root = resolve(folder);
  const server = createServer(async (request, response) => {
    const file = await fileFor(root, request.url ?? '/');
    if (!file) return response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found');
    // The names of the assets change with what is in them: a page of many stories reads them once.
    const caching = dirname(file).endsWith('assets') && { 'Cache-Control': 'max-age=3600' };
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'Content-Type': type, ...caching });
    createReadStream(file).pipe(response);
  });
  await new Promise((ready, fail) => server.once('error', fail).listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function fileFor(root, address) {
  try {
    const path = decodeURIComponent(new URL(address, 'http://localhost').pathname);
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    if (!file.startsWith(root + sep)) return undefined;
    return (await stat(file)).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
