import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventStream, type StreamEvent } from '../../src/entries/live.js';
import { IdentityChangedError } from '../../src/errors.js';
import { API } from '../session/support/article.js';
import { functionServer } from '../session/support/functionServer.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';
import { settle } from '../session/support/manualClock.js';

/** Reads a stream to its end: its events, then the code of its close. */
function read(answer: Response): Promise<[StreamEvent[], number | undefined]> {
  return new Promise(resolve => {
    const events: StreamEvent[] = [];
    const source = eventStream(async () => answer);
    source.addEventListener('message', ({ data, name, lastEventId }: StreamEvent) =>
      events.push({ data, name, lastEventId }),
    );
    source.addEventListener('close', ({ code }: { code?: number }) => resolve([events, code]));
  });
}

const chunked = (bytes: Uint8Array, size: number) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });

test('events are the same however the network cuts them, and whatever ends their lines', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ name: fc.constantFrom('message', 'comment'), data: fc.array(fc.constantFrom('a', 'ü: 😀', '')) }),
      ),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 9 }),
      async (events, lineEnd, size) => {
        const lines = events.flatMap(({ name, data }, id) => [
          ': a comment',
          `id:${id}`,
          ...(name === 'message' ? [] : [`event: ${name}`]),
          ...data.map(line => `data: ${line}`),
          '',
        ]);
        const text = lines.map(line => line + lineEnd).join('');
        const [seen] = await read(new Response(chunked(new TextEncoder().encode(`${text}:${lineEnd}`), size)));
        expect(seen).toEqual(
          events.flatMap(({ name, data }, id) =>
            data.length > 0 ? [{ name, data: data.join('\n'), lastEventId: String(id) }] : [],
          ),
        );
      },
    ),
  );
});

test('an answer that is refused or has no body closes the stream', async () => {
  expect(await read(new Response('', { status: 401 }))).toEqual([[], 4401]);
  expect(await read(new Response('', { status: 503 }))).toEqual([[], undefined]);
  expect(await read(new Response(null, { status: 204 }))).toEqual([[], undefined]);
});

test('a stream over an expiry, a refresh, a switch and a sign-out: nothing of the old identity comes later', async () => {
  const streams: ReadableStreamDefaultController<string>[] = [];
  const events = ({ headers, signal }: { headers: Headers; signal: AbortSignal }) => {
    if (headers.get('access-token') === 'ada-1') return new Response('{}', { status: 401 });
    const body = new ReadableStream<string>({
      start(controller) {
        streams.push(controller);
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body.pipeThrough(new TextEncoderStream()));
  };
  const { session, server } = setupTokenSession({ trustedOrigins: [API] }, { '/events': events }, functionServer);
  const lines: string[] = [];
  const listen = (person: string) => {
    const source = eventStream(signal => session.fetch(`${API}/events`, { signal }));
    source.addEventListener('message', ({ data }: StreamEvent) => lines.push(`${person} ${data}`));
    source.addEventListener('close', () => lines.push(`${person} closed`));
  };
  await session.login({ name: 'ada' });
  listen('ada');
  await settle();
  expect(server.count('/refresh')).toBe(1);
  streams[0]!.enqueue('data: 1\n\n');
  await session.refresh();
  streams[0]!.enqueue('data: 2\n\n');
  await settle();
  await session.login({ name: 'grace' });
  listen('grace');
  await settle();
  expect(() => streams[0]!.enqueue('data: late\n\n')).toThrow();
  streams[1]!.enqueue('data: 3\n\n');
  await settle();
  const body = (await session.fetch(`${API}/events`)).body!.getReader();
  const reading = body.read().catch((error: unknown) => error);
  await session.logout();
  await settle();
  expect(lines).toEqual(['ada 1', 'ada 2', 'ada closed', 'grace 3', 'grace closed']);
  expect(await reading).toBeInstanceOf(IdentityChangedError);
});
