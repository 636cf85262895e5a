// One file for the whole token server: issued tokens, refusals and simulated failures share one state.
import { delay, http, HttpResponse, type RequestHandler } from 'msw';
import { createGate, type Release } from './createGate.js';
import { checkLogin } from './checkLogin.js';
import { outageResponse, type Outage } from './outageResponse.js';
import type { IncomingRequest, MockAuth, MockPerson } from './MockAuth.js';
import { mockJwt } from './mockJwt.js';
import { readJson } from './readJson.js';

/** The lifetime of a JWT without `expiresIn`. */
const JWT_LIFETIME_S = 3_600;

export interface TokenAuthOptions {
  /** The server's address. Its endpoints are `/login`, `/refresh` and `/logout` below this address. */
  url: string;
  people: readonly MockPerson[];
  /**
   * The header that carries the access token.
   * @default 'Access-Token'
   */
  header?: string;
  /**
   * The word before the token, like `Bearer`. The server refuses a credential without it.
   * @default none
   */
  scheme?: string;
  /**
   * A refresh token works once. Its second use revokes all tokens of the same login.
   * @default true
   */
  oneUseRefresh?: boolean;
  /**
   * Lifetime of an access token, in seconds. The answers contain it.
   * @default no expiry, or one hour for a JWT; the answers contain no `expiresIn`
   */
  expiresIn?: number;
  /**
   * Delay of the answers of `/login`, `/refresh` and `/logout`, in milliseconds. The server checks a request when it arrives.
   * @default 0
   */
  delay?: number;
  /**
   * Access tokens are JWTs with `sub`, `exp` and the readable name as `jti`.
   * @default false
   */
  jwt?: boolean;
}

/** The answer to a login or a refresh. */
export interface MockTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn?: number;
  user: { id: string; name: string };
}

export interface TokenAuthCounts {
  logins: number;
  /** Refreshes that issued new tokens. */
  refreshes: number;
  refusedRefreshes: number;
  logouts: number;
  /** 401 answers of `authorize`, which resources call. */
  unauthorized: number;
}

export interface MockTokenServer extends MockAuth {
  readonly handlers: RequestHandler[];
  readonly counts: Readonly<TokenAuthCounts>;
  /** The number of `/refresh` answers that `holdRefresh()` is holding now. */
  readonly held: number;
  authorize(incoming: IncomingRequest | Request): Response | undefined;
  personOf(incoming: IncomingRequest | Request): MockPerson | undefined;
  /** Signs a user in without HTTP, for stories that start signed in. Counts no login. */
  signIn(personId: string): MockTokens;
  /** Expires all current access tokens. Refresh tokens still work. */
  expireAccessTokens(): void;
  /** Ends all logins of a user: the server refuses the access tokens and the refresh tokens. */
  revoke(personId: string): void;
  /**
   * Makes resources answer every request with 401. Refreshes still work. `false` ends it.
   * @default true
   */
  refuseEverything(on?: boolean): void;
  /**
   * Makes refreshes fail: `true` with 503, a number with that status, `'network'` with a network error. `false` ends the outage.
   * @default true
   */
  unavailable(outage?: Outage): void;
  /** Checks and counts refreshes when they arrive, but holds the answers until you call the returned function: with `'lost'` they become network errors. */
  holdRefresh(): Release;
  /**
   * Leaves refreshes unchecked and unanswered. `false` ends it, and the waiting refreshes get a network error.
   * @default true
   */
  silent(on?: boolean): void;
  /** Restores the initial state: no logins, no failures, numbers from 1. Held answers become network errors. */
  reset(): void;
}

/** All tokens of one login. `access` is the only valid access token. */
interface Family {
  person: MockPerson;
  access?: string;
  expiresAt: number;
  revoked: boolean;
}

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
 * });
 * const articles = resourceHandlers(ArticleResource, rows, { auth: server });
 * // in a story
 * beforeEach: ({ msw }) => msw.use(...server.handlers, ...articles.handlers),
 * play: async ({ canvas }) => {
 *   server.expireAccessTokens();
 *   // ...
 *   await expect(server.counts.refreshes).toBe(1);
 * }
 * @throws Error from `signIn` and `revoke` when no user has the given id
 */
export function tokenAuthHandlers(options: TokenAuthOptions): MockTokenServer {
  const { url, people, header = 'Access-Token', scheme, oneUseRefresh = true, expiresIn, jwt = false } = options;
  const lifetime = expiresIn ?? (jwt ? JWT_LIFETIME_S : Infinity);
  const counts: TokenAuthCounts = { logins: 0, refreshes: 0, refusedRefreshes: 0, logouts: 0, unauthorized: 0 };
  const families = new Set<Family>();
  const accessTokens = new Map<string, Family>();
  const refreshTokens = new Map<string, { family: Family; spent: boolean }>();
  const numbers = new Map<string, number>();
  const answers = createGate();
  const silence = createGate();
  let endSilence: Release | undefined;
  let refusing = false;
  let outage: Outage = false;

  function issue(family: Family, sameRefreshToken?: string): MockTokens {
    const { id, name, role } = family.person;
    const number = (numbers.get(id) ?? 0) + 1;
    numbers.set(id, number);
    const now = Date.now();
    family.expiresAt = now + lifetime * 1_000;
    const claims = { sub: id, name, role, iat: Math.floor(now / 1_000), exp: Math.floor(family.expiresAt / 1_000) };
    const accessToken = jwt ? mockJwt({ ...claims, jti: `${id}-${number}` }) : `${id}-${number}`;
    const refreshToken = sameRefreshToken ?? `${id}-refresh-${number}`;
    family.access = accessToken;
    accessTokens.set(accessToken, family);
    refreshTokens.set(refreshToken, { family, spent: false });
    return { accessToken, refreshToken, ...(expiresIn === undefined ? {} : { expiresIn }), user: { id, name } };
  }

  function open(person: MockPerson): MockTokens {
    const family: Family = { person, expiresAt: 0, revoked: false };
    families.add(family);
    return issue(family);
  }

  function close(family: Family): void {
    family.revoked = true;
    delete family.access;
  }

  function personById(id: string): MockPerson {
    const person = people.find(one => one.id === id);
    if (!person) throw new Error(`No mock person has the id "${id}": add it to \`people\` of tokenAuthHandlers.`);
    return person;
  }

  function familyOf(request: Request): Family | undefined {
    const value = request.headers.get(header) ?? '';
    const [word = '', ...rest] = value.split(' ');
    if (scheme !== undefined && word.toLowerCase() !== scheme.toLowerCase()) return undefined;
    const token = scheme === undefined ? value : rest.join(' ').trim();
    const family = accessTokens.get(token);
    return family?.access === token && Date.now() < family.expiresAt ? family : undefined;
  }

  async function checkRefresh(request: Request): Promise<Response> {
    const body = (await readJson(request)) as { refreshToken?: unknown } | null | undefined;
    const token = body?.refreshToken;
    if (typeof token !== 'string') return HttpResponse.json({ message: 'A refreshToken is needed.' }, { status: 400 });
    const known = refreshTokens.get(token);
    if (!known || known.spent || known.family.revoked) {
      counts.refusedRefreshes += 1;
      // A second use means that the token was copied. The server cannot know which client is the right one, so it revokes both.
      if (known?.spent) close(known.family);
      return HttpResponse.json({ message: 'The refresh token is not valid.' }, { status: 401 });
    }
    known.spent = oneUseRefresh;
    counts.refreshes += 1;
    return HttpResponse.json(issue(known.family, oneUseRefresh ? undefined : token));
  }

  async function checkLogout(request: Request): Promise<Response> {
    const body = (await readJson(request)) as { refreshToken?: unknown } | null | undefined;
    const byRefreshToken = refreshTokens.get(String(body?.refreshToken))?.family;
    const family = familyOf(request) ?? (byRefreshToken?.revoked ? undefined : byRefreshToken);
    if (!family) return HttpResponse.json({ message: 'Nobody is signed in.' }, { status: 401 });
    close(family);
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
      return delayed(HttpResponse.json(open(person)));
    }),
    http.post(`${url}/refresh`, async ({ request }) => {
      if ((await silence.pass()) === 'lost') return HttpResponse.error();
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
    personOf: incoming => familyOf(requestOf(incoming))?.person,
    authorize(incoming) {
      if (!refusing && familyOf(requestOf(incoming))) return undefined;
      counts.unauthorized += 1;
      return HttpResponse.json({ message: 'The access token is missing or not valid.' }, { status: 401 });
    },
    signIn: personId => open(personById(personId)),
    expireAccessTokens() {
      for (const family of families) delete family.access;
    },
    revoke(personId) {
      const person = personById(personId);
      for (const family of families) if (family.person === person) close(family);
    },
    refuseEverything(on = true) {
      refusing = on;
    },
    unavailable(next = true) {
      outage = next;
    },
    holdRefresh: () => answers.hold(),
    silent(on = true) {
      if (on) endSilence = silence.hold();
      else endSilence?.('lost');
    },
    reset() {
      answers.reset();
      silence.reset();
      for (const issued of [families, accessTokens, refreshTokens, numbers]) issued.clear();
      for (const name of Object.keys(counts) as (keyof TokenAuthCounts)[]) counts[name] = 0;
      refusing = false;
      outage = false;
    },
  };
}

function requestOf(incoming: IncomingRequest | Request): Request {
  return 'request' in incoming ? incoming.request : incoming;
}
