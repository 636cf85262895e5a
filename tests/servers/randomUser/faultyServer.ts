import express, { type Express, type RequestHandler, type Response } from 'express';
import { vi } from 'vitest';
import { listen } from '../support/listen.js';

/** How the example signs users in. */
export type Variant = 'token' | 'cookie';

/** What goes wrong with the next requests. `lost`: the server has done it, and its answer does not arrive. */
export type Fault = 'slow' | 'late' | 'unavailable' | 'broken' | 'cut' | 'lost';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** Whose credential it carried, good or not. */
  readonly who: string | undefined;
  /** The credential. */
  readonly token: string;
  readonly body: Record<string, unknown>;
  /** 0 while it is under way. */
  status: number;
  fault: Fault | undefined;
}

/** A page that is left so soon before or after its refresh may not have stored the answer, in milliseconds. */
const LEFT_DURING_REFRESH_MS = 1_000;

/** One sign-in on the server. */
interface SignIn {
  readonly who: string;
  /** The newest access token, or the session cookie. */
  newest: string;
  /** Whether an answer with a newer refresh token has not arrived. */
  hasLostAnswer: boolean;
  hasEnded: boolean;
  refreshedAt: number;
}

/** The example's own server, with faults, and with a record of whose credential each request carries. */
export async function startFaultyServer(variant: Variant, pages: string) {
  const seen: SeenRequest[] = [];
  const problems: string[] = [];
  const signIns = new Map<string, SignIn>();
  /** The id of the sign-in by access token or session cookie. */
  const signInOf = new Map<string, string>();
  const revoked = new Set<string>();
  const saved = new Set<string>();
  const faults: { fault: Fault; delay: number }[] = [];
  const open = new Set<Response>();
  let pageLeftAt = 0;

  const readToken = (authorization = '', cookie = ''): string =>
    variant === 'token' ? authorization.replace('Bearer ', '') : (/(?:^|; )sid=([^;]+)/.exec(cookie)?.[1] ?? '');
  const findSignIn = (token: string) => signIns.get(signInOf.get(token) ?? '');

  /** Whether a newer refresh token has got lost: on its way, or with the page that had asked for it. */
  const hasLostAnswer = (signIn: SignIn) =>
    signIn.hasLostAnswer || Math.abs(pageLeftAt - signIn.refreshedAt) < LEFT_DURING_REFRESH_MS;

  /** Notes the credential that an answer brings. */
  const noteTokens = (path: string, answer: unknown) => {
    const { accessToken, user } = answer as { accessToken?: string; user?: { id: string } };
    if (accessToken === undefined || !user) return;
    const { sid } = readClaims(accessToken);
    const before = signIns.get(sid);
    if (path === '/api/refresh' && before && !revoked.has(before.newest) && !hasLostAnswer(before))
      problems.push(`A refresh of ${user.id}'s without an expiry.`);
    const refreshedAt = path === '/api/refresh' ? Date.now() : (before?.refreshedAt ?? 0);
    signIns.set(sid, { who: user.id, newest: accessToken, hasLostAnswer: false, hasEnded: false, refreshedAt });
    signInOf.set(accessToken, sid);
  };

  const noteCookie = (entry: SeenRequest, response: Response) => {
    const cookie = /sid=([^;]+)/.exec(String(response.getHeader('set-cookie') ?? ''))?.[1];
    if (entry.path !== '/api/login' || entry.status !== 200 || !cookie) return;
    const who = String(entry.body.username);
    signIns.set(cookie, { who, newest: cookie, hasLostAnswer: false, hasEnded: false, refreshedAt: 0 });
    signInOf.set(cookie, cookie);
  };

  const noteRefresh = (entry: SeenRequest, isLost: boolean) => {
    if (entry.path !== '/api/refresh') return;
    const signIn = signIns.get(readClaims(entry.body.refreshToken).sid);
    if (!signIn) return;
    if (entry.status === 401 && !signIn.hasEnded && !hasLostAnswer(signIn))
      problems.push(`A refresh token of ${signIn.who}'s was sent twice.`);
    if (entry.status === 401) signIn.hasEnded = true;
    else if (isLost) signIn.hasLostAnswer = true;
  };

  const noteEnd = (entry: SeenRequest) => {
    if (entry.status === 204 && entry.path === '/api/expire-token') revoked.add(entry.token);
    if (entry.status !== 204 || !/\/(logout|expire)$/.test(entry.path)) return;
    const sid = entry.body.refreshToken === undefined ? undefined : readClaims(entry.body.refreshToken).sid;
    const signIn = sid === undefined ? findSignIn(entry.token) : signIns.get(sid);
    if (signIn) signIn.hasEnded = true;
  };

  const front: RequestHandler = (request, response, next) => {
    const token = readToken(request.get('authorization'), request.get('cookie'));
    const planned = request.get('x-tester') === undefined ? faults.shift() : undefined;
    const entry: SeenRequest = {
      method: request.method,
      path: request.originalUrl,
      who: findSignIn(token)?.who,
      token,
      body: (request.body ?? {}) as Record<string, unknown>,
      status: 0,
      fault: planned?.fault,
    };
    seen.push(entry);
    open.add(response);
    // A text names the user who typed it.
    const author = /by-(\w+)/.exec(String(entry.body.title))?.[1];
    if (author && request.get('x-tester') === undefined && entry.who !== undefined && entry.who !== author)
      problems.push(
        `${entry.method} ${entry.path} has “${String(entry.body.title)}” with a credential of ${entry.who}'s.`,
      );

    if (variant === 'token' && entry.who === undefined && /^\/api\/(issues|permissions|closed)/.test(entry.path))
      problems.push(`${entry.method} ${entry.path} has no credential.`);

    const { json, end } = response;
    response.json = answer => {
      noteTokens(entry.path, answer);
      return json.call(response, answer);
    };
    response.end = (...args: unknown[]) => {
      entry.status = response.statusCode;
      const isLost = planned?.fault === 'lost' || response.destroyed || request.socket.destroyed;
      noteRefresh(entry, isLost);
      noteEnd(entry);
      if (entry.status < 300 && typeof entry.body.title === 'string') saved.add(entry.body.title);
      const send = () => {
        if (planned?.fault !== 'lost') (end as (...all: unknown[]) => void).apply(response, args);
        else {
          // Of half of them the headers arrive, with their cookies.
          if (planned.delay % 2 === 0) response.flushHeaders();
          setTimeout(() => request.socket.destroy(), 20);
        }
        noteCookie(entry, response);
      };
      if (planned?.fault === 'late') {
        response.once('close', () => noteRefresh(entry, !response.writableFinished));
        setTimeout(send, planned.delay);
      } else send();
      return response;
    };

    if (planned?.fault === 'cut') return void request.socket.destroy();
    if (planned?.fault === 'unavailable') return void response.status(503).json({ message: 'Overloaded.' });
    if (planned?.fault === 'broken')
      return void response.status(500).type('html').send('<h1>Internal Server Error</h1>');
    const isAuthCall = /\/(login|refresh|logout)$/.test(entry.path);
    if (variant === 'cookie' && findSignIn(token)?.hasEnded)
      request.headers.cookie = request.headers.cookie?.replace(/sid=[^;]+/, '');
    if (entry.path === '/api/refresh' && signIns.get(readClaims(entry.body.refreshToken).sid)?.hasEnded)
      return void response.status(401).json({ message: 'Sign in again.' });
    if (revoked.has(token) && !isAuthCall) return void response.status(401).json({ message: 'The token has expired.' });
    if (planned?.fault === 'slow') setTimeout(next, planned.delay);
    else next();
  };

  // By its name only: the server's files import each other with `.ts`, which the types of the tests do not allow.
  const { createApi } = await vi.importActual<{ createApi(variant: string): Promise<Express> }>(
    '../../../examples/issue-tracker/server/createApi',
  );
  const api = await createApi(variant);
  const app = express()
    .use('/api', express.json(), front)
    .use('/api', api)
    .use(express.static(pages))
    .use((_request, response) => response.sendFile('index.html', { root: pages }));
  const server = await listen(0, app);
  const url = `http://localhost:${server.port}`;
  const tester = await signInTester(url, variant);
  const testers = new Set(signInOf.keys());

  return {
    url,
    seen,
    problems,
    saved,
    close: () => server.close(),
    /** A page is closed or replaced now. */
    notePageLeft: () => void (pageLeftAt = Date.now()),
    /** The last requests, as `GET /api/issues  ada  200`. */
    lastLines: () =>
      seen
        .slice(-25)
        .map(({ method, path, who = 'nobody', status, fault = '' }) =>
          `${method} ${path}  ${who}  ${status}  ${fault}`.trimEnd(),
        ),
    isQuiet: () => {
      for (const response of open)
        if (response.writableFinished || response.closed || response.req.socket.destroyed) open.delete(response);
      return open.size === 0;
    },
    plan: (fault: Fault, count: number, delay: number) =>
      faults.push(...Array.from({ length: count }, () => ({ fault, delay }))),
    endFaults: () => void (faults.length = 0),
    /** The server refuses all access tokens of today. */
    expireTokens: () => [...signInOf.keys()].forEach(token => testers.has(token) || revoked.add(token)),
    /** The server forgets all sessions of the pages. */
    endSessions: () => {
      for (const [token, sid] of signInOf) {
        if (testers.has(token)) continue;
        revoked.add(token);
        signIns.get(sid)!.hasEnded = true;
      }
    },
    /** Whose credential it is, and undefined if the server does not accept it. */
    whoHas: (token: string) => {
      const signIn = findSignIn(token);
      return signIn && !signIn.hasEnded && (variant === 'cookie' || !revoked.has(token)) ? signIn.who : undefined;
    },
    /** A request of a program without a page, as a user. */
    send: tester,
  };
}

export type FaultyServer = Awaited<ReturnType<typeof startFaultyServer>>;

/** The claims of a JWT, which are not verified here. */
function readClaims(token: unknown): { sid: string } {
  try {
    return JSON.parse(Buffer.from((token as string).split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
  } catch {
    return { sid: '' };
  }
}

const PASSWORDS: Record<string, string> = { ada: 'lovelace', grace: 'hopper' };

/** Signs both users in for a program that changes the records without a page. */
async function signInTester(url: string, variant: Variant) {
  const headersOf = new Map<string, Record<string, string>>();
  const readCookies = (response: globalThis.Response) =>
    response.headers.getSetCookie().map(cookie => cookie.split(';')[0]!);
  for (const [username, password] of Object.entries(PASSWORDS)) {
    const headers: Record<string, string> = { 'content-type': 'application/json', 'x-tester': 'yes' };
    const csrf = (cookies: string[]) => {
      headers.cookie = cookies.join('; ');
      headers['x-csrf-token'] = decodeURIComponent(cookies.find(one => one.startsWith('csrf='))?.slice(5) ?? '');
    };
    if (variant === 'cookie') csrf(readCookies(await fetch(`${url}/api/csrf`, { headers })));
    const body = JSON.stringify({ username, password });
    const answer = await fetch(`${url}/api/login`, { method: 'POST', headers, body });
    if (variant === 'cookie') csrf(readCookies(answer));
    else headers.authorization = `Bearer ${((await answer.json()) as { accessToken: string }).accessToken}`;
    headersOf.set(username, headers);
  }
  return async (who: string, method: string, path: string, body?: object): Promise<unknown> => {
    const init = { method, headers: headersOf.get(who)!, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(url + path, init);
    return answer.status === 204 ? undefined : await answer.json();
  };
}
