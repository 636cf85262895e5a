import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** The constant of the handshake. @see https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 0x81;
const CLOSE = 0x88;
/** The code 4401. */
const REFUSED = Buffer.from([0x11, 0x31]);
/** A longer frame has its length in more bytes. */
const LONGEST = 125;

/** A short frame, as a server sends it. */
function frame(opcode: number, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload);
  if (bytes.length > LONGEST) throw new RangeError('The message does not fit into a short frame.');
  return Buffer.concat([Buffer.from([opcode, bytes.length]), bytes]);
}

/** The short frames of a browser, which masks what it sends. */
function* readFrames(data: Buffer): Generator<{ opcode: number; payload: Buffer }> {
  for (let rest = data; rest.length >= 6;) {
    const end = 6 + ((rest[1] as number) & 0x7f);
    const mask = rest.subarray(2, 6);
    const payload = rest.subarray(6, end).map((byte, index) => byte ^ (mask[index % 4] as number));
    yield { opcode: rest[0] as number, payload: Buffer.from(payload) };
    rest = rest.subarray(end);
  }
}

/** The WebSockets of a server. A page's first message is its token; a socket with a bad one is closed. */
export function liveSockets(server: Server, personOf: (token: string) => string | undefined) {
  const open = new Map<Duplex, string | undefined>();
  const opened: string[] = [];
  const lateRecords = new Map<string | undefined, object>();
  let mostOpen = 0;

  /** The token of a page, or the end of its socket. */
  function receive(socket: Duplex, opcode: number, payload: Buffer): void {
    if (opcode === CLOSE) {
      const late = lateRecords.get(open.get(socket));
      if (late) socket.write(frame(TEXT, JSON.stringify(late)));
      open.delete(socket);
      socket.end(frame(CLOSE, payload));
      return;
    }
    const person = personOf(payload.toString());
    opened.push(person ?? 'nobody');
    open.set(socket, person);
    if (!person) socket.end(frame(CLOSE, REFUSED));
  }

  server.on('upgrade', (request, socket: Duplex) => {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64');
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade';
    socket.write(`${upgrade}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    open.set(socket, undefined);
    mostOpen = Math.max(mostOpen, open.size);
    const forget = () => open.delete(socket);
    socket.on('error', forget).on('close', forget);
    socket.on('data', (data: Buffer) => {
      for (const { opcode, payload } of readFrames(data)) receive(socket, opcode, payload);
    });
  });

  return {
    /** Whose sockets were opened, one after the other. */
    opened,
    /** Whose sockets are open now. */
    open: () => [...open.values()],
    /** The greatest number of sockets that were open at a time. */
    mostOpen: () => mostOpen,
    /** The record that a person's socket still sends after the page has closed it. */
    sendLate: (person: string, record: object) => void lateRecords.set(person, record),
    /** Sends a record to a person's sockets. Returns how many there were. */
    send(person: string, record: object): number {
      const theirs = [...open].filter(([, owner]) => owner === person);
      for (const [socket] of theirs) socket.write(frame(TEXT, JSON.stringify(record)));
      return theirs.length;
    },
    close: () => [...open.keys()].forEach(socket => socket.destroy()),
  };
}
