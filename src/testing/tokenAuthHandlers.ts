import { delay, http, HttpResponse } from 'msw';
import { createGate } from './createGate.js';
import { checkLogin, readJson } from './checkLogin.js';
import { outageResponse, type Outage, networkHandler } from './networkHandler.js';
import { createTokenStore, type LoginTokens } from './createTokenStore.js';
import type { IncomingRequest, MockPerson } from './MockAuth.js';
import type { MockTokenServer, TokenAuthCounts, TokenAuthOptions } from './MockTokenServer.js';

/**
 * Mocks a server with access and refresh tokens. It checks requests like a real server and accepts only the newest access token
 * of a login. Its tokens are readable: access tokens are `ada-1`, then `ada-2`; refresh tokens are `ada-refresh-1`.
 *
 * Endpoints: `POST /login { username, password }` answers 200, 400, 401 or 422; `POST /refresh { refreshToken }` answers 200, 400
 * or 401; `POST /logout`, with an access token or with a refresh token in its body, answers 204 or 401.
 *
 * @example
 * const server = tokenAuthHandlers({
 *   url: 'https://api.example.com',
 *   people: [{ id: 'ada', name: 'Ada Lovelace', password: 'lovelace' }],
 *   header: 'Authorization', // as the session has it
 * });
 * const articles = resourceHandlers(ArticleResource, rows, { auth: server });
 * // in a story
 * beforeEach: ({ msw }) => msw.use(...server.handlers, ...articles.handlers),
 * play: async ({ canvas }) => {
 *   server.expire();
 *   // ...
 *   await expect(server.counts.refreshes).toBe(1);
 * }
 * @throws Error from `signIn` and `revoke` when no user has the given id
 */
export function tokenAuthHandlers(options: TokenAuthOptions): MockTokenServer {
  const { url, people, oneUseRefresh = true } = options;
  // Read as the session reads it.
  const [header = '', given = header.toLowerCase() === 'authorization' ? 'Bearer' : ''] = (
    options.header ?? 'Access-Token'
  ).split(':', 2);
  const scheme = given.trim();
  const counts: TokenAuthCounts = { logins: 0, refreshes: 0, refusedRefreshes: 0, logouts: 0, unauthorized: 0 };
  const store = createTokenStore(options);
  const answers = createGate();
  let refusing = false;
  let outage: Outage = false;

  function personById(id: string): MockPerson {
    const person = people.find(one => one.id === id);
    if (!person) throw new Error(`No mock person has the id "${id}": add it to \`people\` of tokenAuthHandlers.`);
    return person;
  }

  function loginOf(request: Request): LoginTokens | undefined {
    const value = request.headers.get(header) ?? '';
    const [word = '', ...rest] = value.split(' ');
    if (scheme === '') return store.findByAccessToken(value);
    return word.toLowerCase() === scheme.toLowerCase() ? store.findByAccessToken(rest.join(' ').trim()) : undefined;
  }

  async function checkRefresh(request: Request): Promise<Response> {
    const body = (await readJson(request)) as { refreshToken?: unknown } | null | undefined;
    const token = body?.refreshToken;
    if (typeof token !== 'string') return HttpResponse.json({ message: 'A refreshToken is needed.' }, { status: 400 });
    const known = store.findByRefreshToken(token);
    if (!known || known.spent || known.login.revoked) {
      counts.refusedRefreshes += 1;
      // A second use means that the token was copied. The server cannot know which client is the right one, so it revokes both.
      if (known?.spent) store.revoke(known.login);
      return HttpResponse.json({ message: 'The refresh token is not valid.' }, { status: 401 });
    }
    known.spent = oneUseRefresh;
    counts.refreshes += 1;
    return HttpResponse.json(store.issue(known.login, oneUseRefresh ? undefined : token));
  }

  async function checkLogout(request: Request): Promise<Response> {
    const body = (await readJson(request)) as { refreshToken?: unknown } | null | undefined;
    const byRefreshToken = store.findByRefreshToken(String(body?.refreshToken))?.login;
    const login = loginOf(request) ?? (byRefreshToken?.revoked ? undefined : byRefreshToken);
    if (!login) return HttpResponse.json({ message: 'Nobody is signed in.' }, { status: 401 });
    store.revoke(login);
    counts.logouts += 1;
    return new HttpResponse(null, { status: 204 });
  }

  async function delayed(response: Response): Promise<Response> {
    if (options.delay) await delay(options.delay);
    return response;
  }

  const handlers = [
    http.post(`${url}/login`, async ({ request }) => {
      const person = await checkLogin(request, people);
      if (person instanceof Response) return delayed(person);
      counts.logins += 1;
      return delayed(HttpResponse.json(store.open(person)));
    }),
    http.post(`${url}/refresh`, async ({ request }) => {
      const response = outage === false ? await checkRefresh(request) : outageResponse(outage);
      if ((await answers.pass()) === 'lost') return HttpResponse.error();
      return delayed(response);
    }),
    http.post(`${url}/logout`, async ({ request }) => delayed(await checkLogout(request))),
  ];

  return {
    handlers,
    counts,
    get held() {
      return answers.held;
    },
    personOf: incoming => loginOf(requestOf(incoming))?.person,
    authorize(incoming) {
      if (!refusing && loginOf(requestOf(incoming))) return undefined;
      counts.unauthorized += 1;
      return HttpResponse.json({ message: 'The access token is missing or not valid.' }, { status: 401 });
    },
    signIn: personId => store.open(personById(personId)),
    expire: () => store.expireAccessTokens(),
    networkHandler: (network, signal) => networkHandler(network, { expire: () => store.expireAccessTokens(), signal }),
    revoke: personId => store.revokeAll(personById(personId)),
    refuseEverything(on = true) {
      refusing = on;
    },
    unavailable(next = true) {
      outage = next;
    },
    holdRefresh: () => answers.hold(),
    reset() {
      answers.reset();
      store.clear();
      for (const name of Object.keys(counts) as (keyof TokenAuthCounts)[]) counts[name] = 0;
      refusing = false;
      outage = false;
    },
  };
}

function requestOf(incoming: IncomingRequest | Request): Request {
  return 'request' in incoming ? incoming.request : incoming;
}
