import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves on a port of this computer; 0 is a free one. The listener may be given later, by those who must know the port first. */
export async function listen(port: number, listener?: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(port, '127.0.0.1', ready));
  return {
    port: (server.address() as AddressInfo).port,
    answer: (given: RequestListener) => void server.on('request', given),
    /** Cuts every connection, also in the middle of an answer, and gives the port back. */
    close: () =>
      new Promise<void>(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
