import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { inject } from 'vitest';
import { createGate } from '../../../src/testing/createGate.js';

/** A request as it arrived, in the order of arrival; the page's own files and preflights are not among them. */
export interface Arrived {
  method: string;
  /** Path and search. */
  path: string;
  headers: IncomingHttpHeaders;
  /** As text. */
  body: string;
  /** The same body, as it arrived. */
  bytes: Buffer;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON, unless the headers name another type: then it is a text. */
  body?: unknown;
  /** How long after the headers the body comes, in milliseconds. @default at once */
  bodyAfterMs?: number;
  /** The connection is lost after the headers. */
  isCut?: true;
}

interface Family {
  person: string;
  revoked: boolean;
}

export interface ApiServerOptions {
  /** Which build of the page it serves. @default 'production' */
  build?: 'production' | 'development';
  /** What stands in the page's root element before its script runs, by path. */
  rendered?: (path: string) => string;
  /** More pages, by path; asked for at each request. */
  pages?: Record<string, string>;
  /** How the API lets browsers cache what they read from it; `etag` is one for every user and every address. @default 'max-age', as many APIs answer and none should */
  caching?: keyof typeof CACHING;
  /** Makes of the usual answer another one, or holds it back; by method and path, asked for at each request. */
  answers?: Record<string, (usual: Answer, arrived: Arrived) => Answer | Promise<Answer>>;
  /** Answers what the API itself has no route for. */
  otherwise?: (arrived: Arrived) => Answer | Promise<Answer>;
  /** Answers the handshake of a WebSocket. */
  upgrade?: (request: IncomingMessage, socket: Duplex) => void;
  /** Holds preflights back: by the method asked for and the path, asked for at each preflight. */
  preflightHolds?: Record<string, () => Promise<unknown>>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};
const ARTICLES_EACH = 10;
const ETAG = '"the same for everybody"';
/** Browsers take a tenth of the age for the time in which an answer is fresh. */
const LAST_MODIFIED = 'Wed, 01 Jan 2020 00:00:00 GMT';
const CACHING = {
  'no-store': { 'Cache-Control': 'no-store' },
  'max-age': { 'Cache-Control': 'private, max-age=60' },
  'last-modified': { 'Last-Modified': LAST_MODIFIED },
  etag: { ETag: ETAG },
};

const article = (person: string, number: number | string) => ({
  id: `${person}-${number}`,
  title: `On ${person} ${number}`,
  author: person,
});

/** How refreshes are held: before or after the check, and what is called when the page goes away. */
interface Hold {
  isChecked: boolean;
  abandoned: () => void;
}

/**
 * A real server on a free port of this computer: the page, and an API with tokens and cookies that checks like a strict one.
 *
 * A refresh token is good for one use; a second use revokes every token of that sign-in. It answers the preflights of other
 * origins with yes, whatever they ask, so that what a page must not send would arrive.
 */
export async function apiServer({
  build = 'production',
  rendered,
  pages = {},
  caching = 'max-age',
  answers = {},
  preflightHolds = {},
  upgrade,
  otherwise = () => ({ body: {} }),
}: ApiServerOptions = {}) {
  const folder = join(inject('pages'), build);
  const requests: Arrived[] = [];
  const preflights: string[] = [];
  const refreshes: ('renewed' | 'refused')[] = [];
  const accessTokens = new Map<string, Family>();
  const refreshTokens = new Map<string, { family: Family; used: boolean }>();
  const cookies = new Map<string, { person: string; csrf: string }>();
  const redirects = new Map<string, { status: number; to: string }>();
  let issued = 0;
  const refreshGate = createGate();
  let hold: Hold | undefined;

  const issue = (family: Family) => {
    issued++;
    const tokens = {
      accessToken: `secret-access-${family.person}-${issued}`,
      refreshToken: `secret-refresh-${family.person}-${issued}`,
    };
    accessTokens.set(tokens.accessToken, family);
    refreshTokens.set(tokens.refreshToken, { family, used: false });
    return tokens;
  };
  const signIn = (person: string) => ({ ...issue({ person, revoked: false }), user: { id: person } });

  const tokenIn = ({ headers }: Arrived) =>
    headers['access-token']?.toString() ?? headers.authorization?.replace('Bearer ', '');
  const cookieIn = ({ headers }: Arrived) => cookies.get(/\bsid=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '');
  const personOf = (arrived: Arrived) => {
    const family = accessTokens.get(tokenIn(arrived) ?? '');
    return family ? (family.revoked ? undefined : family.person) : cookieIn(arrived)?.person;
  };

  function checkRefresh({ body }: Arrived): Answer {
    const { refreshToken } = JSON.parse(body) as { refreshToken: string };
    const known = refreshTokens.get(refreshToken);
    if (known?.used) known.family.revoked = true;
    if (!known || known.family.revoked) {
      refreshes.push('refused');
      return { status: 401, body: {} };
    }
    known.used = true;
    refreshes.push('renewed');
    return { body: issue(known.family) };
  }

  /** Holds the answer back where a test asked for it; undefined when the page has gone away before the check. */
  async function refresh(arrived: Arrived, response: ServerResponse): Promise<Answer | undefined> {
    const held = hold;
    const early = held?.isChecked ? checkRefresh(arrived) : undefined;
    if (held) response.once('close', held.abandoned);
    await refreshGate.pass();
    if (response.destroyed) return undefined;
    return early ?? checkRefresh(arrived);
  }

  function cookieLogin({ body }: Arrived): Answer {
    const { username } = JSON.parse(body) as { username: string };
    issued++;
    const [sid, csrf] = [`secret-sid-${username}-${issued}`, `secret-csrf-${issued}`];
    cookies.set(sid, { person: username, csrf });
    return {
      body: { user: { id: username } },
      headers: { 'Set-Cookie': [`sid=${sid}; HttpOnly; Path=/`, `csrftoken=${csrf}; Path=/`] },
    };
  }

  /** As Django's `ensure_csrf_cookie`: the cookie comes with whatever answer. */
  function freshCsrf(arrived: Arrived): Answer {
    const csrf = `secret-csrf-${++issued}`;
    Object.assign(cookieIn(arrived) ?? {}, { csrf });
    return { status: 204, headers: { 'Set-Cookie': `csrftoken=${csrf}; Path=/` } };
  }

  function cookieLogout(): Answer {
    return {
      status: 204,
      headers: { 'Set-Cookie': ['sid=; HttpOnly; Path=/; Max-Age=0', 'csrftoken=; Path=/; Max-Age=0'] },
    };
  }

  function whoami(arrived: Arrived): Answer {
    const person = personOf(arrived);
    return person ? { body: { id: person } } : { status: 401, body: {} };
  }

  function articles(arrived: Arrived, next: string | null): Answer {
    const person = personOf(arrived);
    if (!person) return { status: 401, body: {} };
    if (!tokenIn(arrived) && arrived.method !== 'GET' && arrived.headers['x-csrftoken'] !== cookieIn(arrived)?.csrf)
      return { status: 403, body: { detail: 'CSRF token missing or incorrect.' } };
    const number = arrived.path.split('?')[0]?.split('/')[2];
    if (number) return { body: article(person, number) };
    const results = Array.from({ length: ARTICLES_EACH }, (_, index) => article(person, index + 1));
    return { body: next === null ? results : { results, next } };
  }

  async function answer(arrived: Arrived, response: ServerResponse): Promise<Answer | undefined> {
    const { pathname, searchParams } = new URL(arrived.path, 'http://server');
    const body = () => JSON.parse(arrived.body) as { username: string };
    const redirect = redirects.get(pathname);
    if (redirect) return { status: redirect.status, headers: { Location: redirect.to } };
    switch (pathname) {
      case '/token/login':
        return { body: signIn(body().username) };
      case '/token/refresh':
        return refresh(arrived, response);
      case '/token/logout': {
        const family = accessTokens.get(tokenIn(arrived) ?? '');
        if (family) family.revoked = true;
        return { status: 204 };
      }
      case '/cookie/login':
        return cookieLogin(arrived);
      case '/cookie/logout':
        return cookieLogout();
      case '/cookie/csrf':
        return freshCsrf(arrived);
      case '/cookie/whoami':
        return whoami(arrived);
    }
    if (pathname === '/restore') return { status: 401, body: {} };
    if (pathname.startsWith('/redirect/'))
      return { status: Number(pathname.split('/')[2]), headers: { Location: searchParams.get('to') ?? '' } };
    if (pathname.startsWith('/article')) return articles(arrived, searchParams.get('next'));
    return otherwise(arrived);
  }

  async function pageFile(path: string): Promise<Answer | undefined> {
    const { pathname } = new URL(path, 'http://server');
    if (pathname === '/blank')
      return { headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><title>Blank</title>' };
    if (pages[pathname] !== undefined) return { headers: { 'Content-Type': 'text/html' }, body: pages[pathname] };
    if (pathname === '/favicon.ico') return { status: 204 };
    const isPage = pathname.startsWith('/page');
    if (!isPage && !pathname.startsWith('/assets/')) return undefined;
    const file = isPage ? 'index.html' : pathname;
    const text = await readFile(join(folder, file), 'utf8');
    return {
      headers: { 'Content-Type': TYPES[extname(file)] ?? 'text/plain' },
      body: isPage ? text.replace('<!--rendered-->', rendered?.(path) ?? '') : text,
    };
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url: path = '/', headers } = request;
    const anyOrigin = {
      'Access-Control-Allow-Origin': headers.origin ?? '*',
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Allow-Headers': headers['access-control-request-headers'] ?? '*',
      'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
    };
    if (method === 'OPTIONS') {
      const asked = `${headers['access-control-request-method']} ${path}`;
      preflights.push(asked);
      await preflightHolds[asked]?.();
      return response.writeHead(204, { ...anyOrigin, 'Access-Control-Max-Age': '60' }).end();
    }
    const page = method === 'GET' ? await pageFile(path) : undefined;
    if (page) return response.writeHead(page.status ?? 200, page.headers).end(page.body);
    const bytes = await readBody(request);
    const arrived: Arrived = { method, path, headers, bytes, body: bytes.toString() };
    requests.push(arrived);
    const usual = await answer(arrived, response);
    const given = usual && ((await answers[`${method} ${path}`]?.(usual, arrived)) ?? usual);
    if (!given) return response.destroy();
    const cacheable = CACHING[method === 'GET' ? caching : 'no-store'];
    if (method === 'GET' && caching === 'etag' && headers['if-none-match'] === ETAG)
      return response.writeHead(304, { ...cacheable, ...anyOrigin }).end();
    const answerHeaders = { 'Content-Type': 'application/json', ...cacheable, ...anyOrigin, ...given.headers };
    response.writeHead(given.status ?? 200, answerHeaders);
    if (given.isCut) return response.write('{"user":', () => response.destroy());
    if (given.bodyAfterMs !== undefined) {
      response.flushHeaders();
      await new Promise(resolve => setTimeout(resolve, given.bodyAfterMs));
    }
    const isText = answerHeaders['Content-Type'] !== 'application/json';
    return response.end(given.status === 204 ? undefined : isText ? given.body : JSON.stringify(given.body));
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.writeHead(500).end(error.stack));
  });
  /** A server that is closed does not close these. */
  const upgraded: Duplex[] = [];
  if (upgrade)
    server.on('upgrade', (request, socket) => {
      upgraded.push(socket);
      upgrade(request, socket);
    });
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    /** Its origin; the same server answers at `localhost`, which is another origin and another host for cookies. */
    url: `http://127.0.0.1:${port}`,
    requests,
    /** The preflights that arrived: the method asked for, and the path. */
    preflights,
    /** What became of each refresh that was checked. */
    refreshes,
    /** Requests for data, and for nothing else. */
    dataCalls: () => requests.filter(({ path }) => path.startsWith('/article')),
    /** From now on, this path redirects to the same path of another server; without one, it answers again. */
    redirect(path: string, status: number, other?: string) {
      if (other === undefined) redirects.delete(path);
      else redirects.set(path, { status, to: `${other}${path}` });
    },
    /** No access token that was issued so far is good any more. */
    expireAccess: () => accessTokens.clear(),
    /** No credential that was issued so far is good any more: access tokens, refresh tokens, cookies. */
    endSessions: () => {
      for (const family of [...accessTokens.values(), ...[...refreshTokens.values()].map(token => token.family)])
        family.revoked = true;
      cookies.clear();
    },
    /** No CSRF token that was issued so far is good any more. */
    expireCsrf: () => cookies.forEach(cookie => (cookie.csrf = 'expired')),
    /** A stored sign-in, as a page would have made it. */
    signIn,
    /**
     * Holds every refresh back: before it is checked, so that a page which goes away has used nothing up; or after it, so
     * that the refresh token is used and only the answer is late.
     */
    holdRefresh(when: 'before the check' | 'after the check') {
      let abandon!: () => void;
      const abandoned = new Promise<void>(resolve => (abandon = resolve));
      hold = { isChecked: when === 'after the check', abandoned: abandon };
      const release = refreshGate.hold();
      return {
        /** Resolves when a refresh is being held. */
        reached: release.reached,
        /** Resolves when the page that asked has gone away. */
        abandoned,
        release: () => {
          hold = undefined;
          release();
        },
      };
    },
    close: () =>
      new Promise<void>(done => {
        server.close(() => done());
        server.closeAllConnections();
        for (const socket of upgraded) socket.destroy();
      }),
  };
}

export type ApiServer = Awaited<ReturnType<typeof apiServer>>;

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
