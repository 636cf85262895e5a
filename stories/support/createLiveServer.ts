import { ws } from 'msw';

/** A mock server of a WebSocket that pushes records. It reads the token from the second subprotocol. */
export function createLiveServer() {
  const link = ws.link('*/live');
  let clients: { send(data: string): void; close(code: number): void; token: string }[] = [];
  let isRefused: (token: string) => boolean = () => false;
  return {
    handler: link.addEventListener('connection', ({ client, info }) => {
      const token = [info.protocols].flat()[1] ?? '';
      clients.push({ send: data => client.send(data), close: code => client.close(code), token });
      if (isRefused(token)) client.close(4401);
    }),
    /** The token of each connection so far. */
    tokens: () => clients.map(({ token }) => token),
    /** Sends to the connection with this index, also to a closed one. @default the latest */
    send: (record: object, index = -1) => clients.at(index)?.send(JSON.stringify(record)),
    /** Closes the latest connection. */
    close: (code: number) => clients.at(-1)?.close(code),
    refuseWhere: (refused: (token: string) => boolean) => void (isRefused = refused),
    reset() {
      clients = [];
      isRefused = () => false;
    },
  };
}
