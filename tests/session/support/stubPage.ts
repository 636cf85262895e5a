import { vi } from 'vitest';

/**
 * A window and a document, in the place of Node's globals until the test ends. The document keeps cookies as a browser does: a line
 * with `Max-Age=0` deletes one. Attributes are not checked.
 */
export function stubPage() {
  const cookies = new Map<string, string>([['other', '1']]);
  const window = new EventTarget();
  // Node 20 forgets it after the first listener.
  window.dispatchEvent = event =>
    EventTarget.prototype.dispatchEvent.call(
      window,
      Object.defineProperty(event, 'currentTarget', { value: window, configurable: true }),
    );
  const document = Object.defineProperty(new EventTarget(), 'cookie', {
    get: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    set(line: string) {
      const [, name, value] = /^([^=]*)=([^;]*)/.exec(line)!;
      if (/; *Max-Age=0/i.test(line)) cookies.delete(name!);
      else cookies.set(name!, value!);
    },
  });
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  vi.stubGlobal('document', Object.assign(document, { visibilityState: 'visible' }));
  return {
    window,
    document: document as EventTarget & { cookie: string },
    /** The cookies, decoded: a test may change them as another tab does. */
    cookies: {
      all: (): Record<string, string> =>
        Object.fromEntries([...cookies].map(([name, value]) => [name, decodeURIComponent(value)])),
      set: (name: string, value: string | undefined) =>
        void (value === undefined ? cookies.delete(name) : cookies.set(name, encodeURIComponent(value))),
    },
  };
}
