import type { LiveSource } from './LiveSource.js';

/** One server-sent event, as `eventStream()` gives it: always a `message`, also where the server has named it. */
export interface StreamEvent {
  readonly data: string;
  /** The name that the server has given it. @default 'message' */
  readonly name: string;
  readonly lastEventId: string;
}

/**
 * Server-sent events of a `fetch`, which carries a credential where an `EventSource` carries none. Reads at once; a refused or broken
 * answer closes it.
 *
 * @param send Called at once. Pass the signal on: `close()` aborts it.
 * @example
 * liveManager(session, { open: () => eventStream(signal => session.fetch('/events', { signal })), ... });
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function eventStream(send: (signal: AbortSignal) => Promise<Response>): LiveSource {
  const target = new EventTarget();
  const end = new AbortController();
  const source = {
    addEventListener: (type: string, listener: (event: Event) => void) => target.addEventListener(type, listener),
    close: () => end.abort(),
    url: undefined as string | undefined,
  };
  const dispatch = (type: string, fields: object = {}) => target.dispatchEvent(Object.assign(new Event(type), fields));
  const read = async () => {
    const { ok, status, url, body } = await send(end.signal);
    source.url = url;
    if (!ok || !body) return status;
    dispatch('open');
    for await (const event of events(body, end.signal)) dispatch('message', event);
    return undefined;
  };
  // The caller adds its listeners first.
  void Promise.resolve()
    .then(read)
    .catch(() => undefined)
    .then(status => dispatch('close', status === 401 ? { code: 4401 } : {}));
  return source as LiveSource;
}

async function* events(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  let text = '';
  let lastEventId = '';
  let data: string[] = [];
  let name = 'message';
  for (;;) {
    const { value, done } = await reader.read();
    if (done || signal.aborted) return;
    const lines = (text + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    text = lines.pop() ?? '';
    for (const line of lines) {
      const [, field, content = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (line === '') {
        if (data.length > 0) yield { data: data.join('\n'), name, lastEventId };
        data = [];
        name = 'message';
      } else if (field === 'data') data.push(content);
      else if (field === 'event') name = content;
      else if (field === 'id') lastEventId = content;
    }
  }
}
