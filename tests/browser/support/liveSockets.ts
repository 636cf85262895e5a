import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const TEXT = 0x81;
const CLOSE = 0x88;
/** @see https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const frame = (kind: number, payload: Buffer) => Buffer.concat([Buffer.from([kind, payload.length]), payload]);

/** The server's side of WebSockets that carry a token as their second protocol. Sends short texts. */
export function liveSockets() {
  const opened: { token: string; isOpen: boolean; socket: Duplex }[] = [];
  const log: string[] = [];
  return {
    /** The token of each socket so far. */
    tokens: () => opened.map(({ token }) => token),
    /** What happened, in this order: `open`, and `close` when the page has closed one. */
    log,
    countOpen: () => opened.filter(({ isOpen }) => isOpen).length,
    /** Sends to the socket with this index, also to one that is closing. @default the latest */
    send: (data: object, index = -1) =>
      void opened.at(index)!.socket.write(frame(TEXT, Buffer.from(JSON.stringify(data)))),
    /** Closes the latest socket. */
    close: (code: number) => void opened.at(-1)!.socket.end(frame(CLOSE, Buffer.from([code >> 8, code & 255]))),
    upgrade({ headers }: IncomingMessage, socket: Duplex) {
      const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${GUID}`).digest('base64');
      const [protocol, token = ''] = headers['sec-websocket-protocol']?.split(', ') ?? [];
      const entry = { token, isOpen: true, socket };
      log.push(`open ${token}`);
      opened.push(entry);
      // A browser ends the connection when the server has answered its close.
      socket.on('data', ([kind]: Buffer) => {
        if (kind !== CLOSE) return;
        log.push(`close ${token}`);
        socket.end(frame(CLOSE, Buffer.alloc(0)));
      });
      socket.on('close', () => (entry.isOpen = false));
      socket.on('error', () => {});
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
      );
    },
  };
}
