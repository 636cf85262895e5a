// Images, downloads and uploads with real servers: counted is what they got.
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { isFirefox } from './support/browserUnderTest.js';
import type { ApiServer, Answer, Arrived } from './support/apiServer.js';
import { eventually, press, says, test as base } from './support/test.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that streams, on a port of its own. Preflights are answered with yes. */
async function startStreams(handle: Handler) {
  const server = createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
    response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
    response.setHeader('Access-Control-Expose-Headers', 'Content-Disposition');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    handle(request, response);
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise(closed => server.close(closed));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

const test = base.extend<{ streams: (handle: Handler) => ReturnType<typeof startStreams> }>({
  streams: async ({}, give) => {
    const started: Awaited<ReturnType<typeof startStreams>>[] = [];
    await give(async handle => {
      const server = await startStreams(handle);
      started.push(server);
      return server;
    });
    await Promise.all(started.map(({ close }) => close()));
  },
});

/** Notes each object URL, and after each paint who is seen. */
function watchObjectUrls() {
  window.objectUrls = { made: [], revoked: [] };
  const { made, revoked } = window.objectUrls;
  const [make, revoke] = [URL.createObjectURL.bind(URL), URL.revokeObjectURL.bind(URL)];
  URL.createObjectURL = object => {
    const url = make(object);
    made.push(url);
    return url;
  };
  URL.revokeObjectURL = url => {
    revoked.push(url);
    revoke(url);
  };
}

const AUTHORIZATION = { session: 'token', header: 'Authorization', files: '' };
const CREDENTIALS = ['authorization', 'access-token', 'cookie', 'x-csrftoken'];
const credentialsOf = ({ headers }: Pick<Arrived, 'headers'>) =>
  CREDENTIALS.filter(name => headers[name] !== undefined);
const lines = (requests: readonly Arrived[]) => requests.map(({ method, path }) => `${method} ${path}`);
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function signIn(page: Page, person: string): Promise<void> {
  await press(page, `Sign in as ${person}`);
  await says(page, `authenticated ${person}`);
  await page.locator('#upload').waitFor({ state: 'attached' });
}

/** Calls `download` of the screen; resolves with `saved`, or with the error. */
const download = (page: Page, address: string, readsAddress = false) =>
  page.evaluate(
    async ([to, reads]) =>
      window.files
        .download(to, reads ? { readAddress: async answer => ((await answer.json()) as { url: string }).url } : {})
        .then(
          () => 'saved',
          ({ name, message }: Error) => `${name}: ${message}`,
        ),
    [address, readsAddress] as const,
  );

describe('images', () => {
  const avatars = Array.from({ length: 6 }, (_, user) => `/article/user-${user}`);
  const svg = (usual: Answer): Answer =>
    usual.status
      ? usual
      : {
          headers: { 'Content-Type': 'image/svg+xml' },
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
        };
  const answers = Object.fromEntries(avatars.map(path => [`GET ${path}`, svg]));
  const thirty = Array.from({ length: 30 }, (_, index) => avatars[index % 6]!);
  const show = (page: Page, shown: string[]) => page.evaluate(list => window.files.show(list), shown);
  const painted = (page: Page) =>
    page.evaluate(() => [...document.images].filter(image => image.complete && image.naturalWidth > 0).length);
  const urls = (page: Page) => page.evaluate(() => window.objectUrls);

  test.for(['token', 'cookie'])(
    '%s: thirty avatars of six users are six requests and six object URLs, each revoked once',
    async (session, { startServer, open, context }) => {
      const server = await startServer({ answers });
      await context.addInitScript(watchObjectUrls);
      const page = await open(server, { ...AUTHORIZATION, session });
      await signIn(page, 'ada');
      await show(page, thirty);
      await eventually(() => painted(page), 30);
      expect(lines(server.dataCalls()).sort()).toEqual(avatars.map(path => `GET ${path}`));
      expect((await urls(page)).made).toHaveLength(6);
      expect((await urls(page)).revoked).toEqual([]);
      await show(page, thirty.slice(0, 7));
      await eventually(() => painted(page), 7);
      expect((await urls(page)).revoked).toEqual([]);
      await show(page, thirty.slice(0, 3));
      await eventually(async () => (await urls(page)).revoked.length, 3);
      await show(page, []);
      await eventually(async () => (await urls(page)).revoked.length, 6);
      const { made, revoked } = await urls(page);
      expect(revoked.sort()).toEqual(made.sort());
      expect(server.dataCalls()).toHaveLength(6);
    },
  );

  test('an expired token: six requests, one refresh, six requests', async ({ startServer, open }) => {
    const server = await startServer({ answers });
    const page = await open(server, AUTHORIZATION);
    await signIn(page, 'ada');
    server.expireAccess();
    await show(page, thirty);
    await eventually(() => painted(page), 30);
    expect(server.dataCalls()).toHaveLength(12);
    expect(server.refreshes).toEqual(['renewed']);
  });

  test('all of Ada’s object URLs are revoked before Grace’s first paint', async ({ startServer, open, context }) => {
    const server = await startServer({ answers });
    await context.addInitScript(watchObjectUrls);
    await context.addInitScript(() => {
      const note = () => {
        const who = document.querySelector('#who')?.textContent ?? '';
        if (who.includes('grace') && !('revokedAtFirst' in window))
          Object.assign(window, { revokedAtFirst: window.objectUrls.revoked.length });
      };
      new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true });
    });
    const page = await open(server, AUTHORIZATION);
    await signIn(page, 'ada');
    await show(page, thirty);
    await eventually(() => painted(page), 30);
    await signIn(page, 'grace');
    expect(await page.evaluate(() => (window as { revokedAtFirst?: number }).revokedAtFirst)).toBe(6);
    const { made, revoked } = await urls(page);
    expect(revoked.sort()).toEqual(made.sort());
    expect(made).toHaveLength(6);
  });

  test('a file that is refused shows its alt text, and says why', async ({ startServer, open }) => {
    const server = await startServer({ answers: { 'GET /article/gone': () => ({ status: 404, body: {} }) } });
    const page = await open(server, AUTHORIZATION);
    await signIn(page, 'ada');
    await show(page, ['/article/gone']);
    await eventually(
      () => page.locator('#file').textContent(),
      'FileRequestError: /article/gone answered with status 404.',
    );
    expect(await page.getByAltText('Avatar 0').getAttribute('src')).toBeNull();
  });

  test('a page among the files is no page at its object URL', async ({ startServer, open }) => {
    const html = { headers: { 'Content-Type': 'text/html' }, body: '<script>alert(1)</script>' };
    const server = await startServer({ answers: { 'GET /article/page': () => html } });
    const page = await open(server, AUTHORIZATION);
    await signIn(page, 'ada');
    await show(page, ['/article/page']);
    await eventually(() => page.locator('#file').textContent(), 'text/html');
    const type = await page.evaluate(async () => (await fetch(document.images[0]!.src)).headers.get('Content-Type'));
    expect(type).toBe('text/plain');
  });
});

describe('a redirect to a file store', () => {
  const signed = '/bucket/report.pdf?signature=secret';
  const file = {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'attachment; filename="Q3.pdf"',
      'Access-Control-Expose-Headers': 'Content-Disposition',
    },
    body: 'the report',
  };
  const stored = async (page: Page, address: string, readsAddress = false) => {
    const saved = page.waitForEvent('download');
    expect(await download(page, address, readsAddress)).toBe('saved');
    const one = await saved;
    return [one.suggestedFilename(), await text(await one.createReadStream())];
  };
  /** The page with the API, or on a server of its own; and the store. Cookies know no ports: the store would get all of them. */
  const setUp = async (startServer: () => Promise<ApiServer>, isApiElsewhere: boolean) => {
    const [api, host] = [await startServer(), await startServer()];
    return { api, host: isApiElsewhere ? host : api };
  };

  test.for([
    { name: 'a token in Authorization', search: AUTHORIZATION, isApiElsewhere: false },
    { name: 'a token in Authorization, of an API elsewhere', search: AUTHORIZATION, isApiElsewhere: true },
    { name: 'a cookie and a CSRF token', search: { session: 'cookie', files: '' }, isApiElsewhere: false },
  ])(
    '$name: the file is saved, and the store gets no credential',
    async ({ search, isApiElsewhere }, { startServer, open, context }) => {
      const store = await startServer({ otherwise: () => file });
      const { api, host } = await setUp(startServer, isApiElsewhere);
      await context.addCookies([api.url, store.url].map(url => ({ name: 'stray', value: '1', url })));
      const page = await open(host, { ...search, ...(isApiElsewhere && { api: api.url, origin: api.url }) });
      await signIn(page, 'ada');
      for (const status of [301, 302, 303, 307, 308]) {
        store.requests.length = 0;
        const address = `${isApiElsewhere ? api.url : ''}/redirect/${status}?to=${encodeURIComponent(store.url + signed)}`;
        expect(await stored(page, address)).toEqual(['Q3.pdf', 'the report']);
        expect(lines(store.requests)).toEqual([`GET ${signed}`]);
        expect(store.requests.flatMap(credentialsOf)).toEqual([]);
        expect(credentialsOf(api.requests.at(-1)!)).toContain(search.session === 'token' ? 'authorization' : 'cookie');
      }
      expect(store.preflights).toEqual([]);
    },
  );

  test.for([
    { name: 'a token in another header', search: { session: 'token', files: '' }, isApiElsewhere: false },
    {
      name: 'cookies of an API elsewhere',
      search: { session: 'cookie', credentials: 'include', files: '' },
      isApiElsewhere: true,
    },
  ])(
    '$name: refused with a sentence; the address in an answer is fetched instead',
    async ({ search, isApiElsewhere }, { startServer, open }) => {
      const store = await startServer({ otherwise: () => file });
      const { host } = await setUp(startServer, isApiElsewhere);
      const api = await startServer({ otherwise: () => ({ body: { url: store.url + signed } }) });
      const base = isApiElsewhere ? api : host;
      const page = await open(host, { ...search, ...(isApiElsewhere && { api: api.url, origin: api.url }) });
      await signIn(page, 'ada');
      const prefix = isApiElsewhere ? base.url : '';
      const refused = await download(page, `${prefix}/redirect/302?to=${encodeURIComponent(store.url + signed)}`);
      expect(refused).toBe(
        `RedirectRefusedError: ${prefix}/redirect/302 redirected, and this request follows no redirect: its credentials would go to an unknown address. Set the session's \`header: 'Authorization'\`, if the server reads that: browsers remove it on the way. Or let the server answer with the address, for \`readAddress\` of \`download\`.`,
      );
      expect(store.requests).toEqual([]);
    },
  );

  test('a server that answers with the address: the store gets no credential', async ({
    startServer,
    open,
    context,
  }) => {
    const store = await startServer({ otherwise: () => file });
    const api = await startServer({ otherwise: () => ({ body: { url: store.url + signed } }) });
    await context.addCookies([{ name: 'stray', value: '1', url: store.url }]);
    const page = await open(api, { session: 'token', files: '' });
    await signIn(page, 'ada');
    expect(await stored(page, '/where', true)).toEqual(['Q3.pdf', 'the report']);
    expect(store.requests.flatMap(credentialsOf)).toEqual([]);
    expect(credentialsOf(api.requests.at(-1)!)).toContain('access-token');
  });

  test('a 401 of the store ends no session and refreshes nothing', async ({ startServer, open }) => {
    const store = await startServer({ otherwise: () => ({ status: 401, body: {} }) });
    const api = await startServer();
    const page = await open(api, AUTHORIZATION);
    await signIn(page, 'ada');
    expect(await download(page, `/redirect/302?to=${encodeURIComponent(store.url + signed)}`)).toBe(
      `FileRequestError: ${store.url}/bucket/report.pdf answered with status 401.`,
    );
    expect(api.refreshes).toEqual([]);
    await says(page, 'authenticated ada');
  });

  test('a redirect to a login page is no file', async ({ startServer, open }) => {
    const login = { headers: { 'Content-Type': 'text/html' }, body: 'Sign in' };
    const api = await startServer({ otherwise: () => login });
    const page = await open(api, AUTHORIZATION);
    await signIn(page, 'ada');
    expect(await download(page, `/redirect/302?to=${encodeURIComponent(`${api.url}/login`)}`)).toMatch(
      /^RedirectRefusedError: \/redirect\/302 redirected/,
    );
  });
});

describe('an upload', () => {
  const answers = {
    'POST /article': (usual: Answer) => (usual.status ? usual : { status: 201, body: { id: 'new' } }),
  };
  /** The same bytes in the page and here. */
  const upload = (page: Page, address: string, bytes: Buffer, options = {}) =>
    page.evaluate(
      async ([to, base64, given]) => {
        const seen: number[] = [];
        const body = await (await fetch(`data:application/octet-stream;base64,${base64}`)).blob();
        const outcome = await window.files
          .upload(to, body, { ...given, onProgress: (loaded, total) => void seen.push(loaded / total) })
          .then(
            async ({ status, headers }) => `${status} ${headers.get('Content-Type')}`,
            ({ name, message }: Error) => `${name}: ${message}`,
          );
        return { outcome, last: seen.at(-1) };
      },
      [address, bytes.toString('base64'), options] as const,
    );
  const file = randomBytes(3 * 2 ** 20);

  test.for([
    { name: 'a token in Authorization', search: AUTHORIZATION, options: {} },
    { name: 'a token in another header', search: { session: 'token', files: '' }, options: { neverRedirects: true } },
    {
      name: 'a cookie and a CSRF token',
      search: { session: 'cookie', csrf: '', files: '' },
      options: { neverRedirects: true },
    },
  ])(
    '$name: refused at first, it ends at 100 %, with the same bytes',
    async ({ search, options }, { startServer, open }) => {
      const server = await startServer({ answers });
      const page = await open(server, search);
      await signIn(page, 'ada');
      server.expireAccess();
      server.expireCsrf();
      expect(await upload(page, '/article', file, options)).toEqual({ outcome: '201 application/json', last: 1 });
      await eventually(() => page.locator('#upload').textContent(), 'idle 100 %');
      const sent = server.dataCalls();
      expect(lines(sent)).toEqual(['POST /article', 'POST /article']);
      expect(sent.map(({ bytes }) => sha(bytes))).toEqual([sha(file), sha(file)]);
    },
  );

  test('a header that would follow a redirect: no progress, and a redirect is refused', async ({
    startServer,
    open,
  }) => {
    const [server, other] = [await startServer({ answers }), await startServer()];
    const page = await open(server, { session: 'token', files: '' });
    await signIn(page, 'ada');
    expect(await upload(page, '/article', file)).toEqual({ outcome: '201 application/json', last: undefined });
    server.redirect('/article', 307, other.url);
    expect((await upload(page, '/article', file)).outcome).toMatch(/^RedirectRefusedError: \/article redirected/);
    expect(other.requests).toEqual([]);
  });

  test('a redirect is refused after it, and took no credential along', async ({ startServer, open }) => {
    const [server, other] = [await startServer({ answers }), await startServer()];
    const page = await open(server, AUTHORIZATION);
    await signIn(page, 'ada');
    server.redirect('/article', 307, other.url);
    expect((await upload(page, '/article', Buffer.from('a'))).outcome).toMatch(
      /^RedirectRefusedError: \/article redirected/,
    );
    expect(other.requests.flatMap(credentialsOf)).toEqual([]);
  });

  test('a refresh that is due comes before it, not after', async ({ startServer, open }) => {
    const server = await startServer({
      answers: { ...answers, 'POST /token/login': usual => ({ body: { ...(usual.body as object), expiresIn: 20 } }) },
    });
    const page = await open(server, AUTHORIZATION);
    await signIn(page, 'ada');
    await page.clock.install();
    await page.clock.fastForward(12_000);
    await upload(page, '/article', file);
    expect(lines(server.requests).slice(-2)).toEqual(['POST /token/refresh', 'POST /article']);
    expect(server.dataCalls().map(({ headers }) => headers.authorization)).toEqual(['Bearer secret-access-ada-2']);
  });

  test('the answer of a refused upload is in its error', async ({ startServer, open }) => {
    const server = await startServer({ otherwise: () => ({ status: 413, body: { detail: 'Too large.' } }) });
    const page = await open(server, AUTHORIZATION);
    await signIn(page, 'ada');
    const said = await page.evaluate(async () =>
      window.files.upload('/large', 'x').then(
        () => ({}),
        async ({ name, status, response }: Error & { status: number; response: Response }) => ({
          name,
          status,
          body: (await response.json()) as unknown,
        }),
      ),
    );
    expect(said).toEqual({ name: 'FileRequestError', status: 413, body: { detail: 'Too large.' } });
    await eventually(() => page.locator('#upload').textContent(), 'idle /large answered with status 413.');
  });
});

describe('what is cancelled', () => {
  const cancelBy: Record<string, (page: Page) => Promise<unknown>> = {
    'cancel()': page => page.evaluate(() => window.files.cancel()),
    'another user': page => press(page, 'Sign in as grace'),
  };

  test.for(Object.keys(cancelBy))(
    'a download, by %s: AbortError, and the server sees the end',
    async (how, { server, open, streams }) => {
      let isClosed = false;
      const files = await streams((_, response) => {
        response.once('close', () => (isClosed = true));
        response.writeHead(200, { 'Content-Length': '1000' }).write('x'.repeat(500));
      });
      const page = await open(server, { ...AUTHORIZATION, origin: files.url, api: '' });
      await page.goto(`${page.url()}&origin=${encodeURIComponent(server.url)}`);
      await signIn(page, 'ada');
      const outcome = download(page, `${files.url}/file`);
      await eventually(() => page.locator('#download').textContent(), 'running 50 %');
      await cancelBy[how]!(page);
      expect(await outcome).toMatch(/^AbortError: /);
      await eventually(() => isClosed, true);
      if (how === 'cancel()') expect(await page.locator('#download').textContent()).toBe('idle');
    },
  );

  test.for(Object.keys(cancelBy))(
    'an upload, by %s: AbortError, and the server sees the end',
    async (how, { server, open, streams }) => {
      let isCut = false;
      let held: IncomingMessage | undefined;
      const files = await streams(request => {
        request.once('close', () => (isCut = !request.complete));
        request.once('data', () => {
          held = request.pause();
        });
      });
      const page = await open(server, { ...AUTHORIZATION, origin: files.url });
      await page.goto(`${page.url()}&origin=${encodeURIComponent(server.url)}`);
      await signIn(page, 'ada');
      const outcome = page.evaluate(
        async to =>
          window.files.upload(to, new Blob([new Uint8Array(50_000_000)])).then(
            () => 'sent',
            ({ name }: Error) => name,
          ),
        `${files.url}/file`,
      );
      await eventually(() => held !== undefined, true);
      await cancelBy[how]!(page);
      expect(await outcome).toBe('AbortError');
      // A paused socket reads no end.
      held!.resume();
      await eventually(() => isCut, true);
    },
  );
});

test.skipIf(isFirefox)(
  'a file of 200 MB goes to the disk, and not through the memory of the page',
  async ({ server, open, streams, context }) => {
    const [size, part] = [200 * 2 ** 20, randomBytes(2 ** 20)];
    const files = await streams((_, response) => {
      response.writeHead(200, {
        'Content-Length': `${size}`,
        'Content-Disposition': "attachment; filename*=UTF-8''m%C3%B6th.bin",
      });
      let sent = 0;
      const go = (): void => {
        while (sent < size) {
          sent += part.length;
          if (!response.write(part)) return void response.once('drain', go);
        }
        response.end();
      };
      go();
    });
    // A headless browser shows no dialog. What it writes to is a real file.
    await context.addInitScript(() => {
      Object.assign(window, {
        showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) =>
          (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
      });
    });
    const page = await open(server, { ...AUTHORIZATION, origin: files.url });
    await page.goto(`${page.url()}&origin=${encodeURIComponent(server.url)}`);
    await signIn(page, 'ada');
    const client = await context.newCDPSession(page);
    const outcome = download(page, `${files.url}/file`);
    let largest = 0;
    let isOver = false;
    void outcome.finally(() => (isOver = true));
    while (!isOver) {
      await client.send('HeapProfiler.collectGarbage');
      const usage = (await client.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number };
      largest = Math.max(largest, usage.usedSize + (usage.backingStorageSize ?? 0));
    }
    expect(await outcome).toBe('saved');
    const saved = await page.evaluate(async () => {
      const file = await (await (await navigator.storage.getDirectory()).getFileHandle('möth.bin')).getFile();
      return file.size;
    });
    expect(saved).toBe(size);
    expect(largest / 2 ** 20).toBeLessThan(80);
  },
  60_000,
);
