// One room for the whole token server: what it issued, what it refuses and what stories do to it are one state.
import { delay, http, HttpResponse, type RequestHandler } from 'msw';
import { createGate, type Release } from './createGate.js';
import { checkLogin } from './checkLogin.js';
import { outageResponse, type Outage } from './outageResponse.js';
import type { IncomingRequest, MockAuth, MockPerson } from './MockAuth.js';
import { mockJwt } from './mockJwt.js';
import { readJson } from './readJson.js';

/** How long a JWT lives where `expiresIn` does not say. */
const JWT_LIFETIME_S = 3_600;

export interface TokenAuthOptions {
  /** The server's address; `/login`, `/refresh` and `/logout` stand below it. */
  url: string;
  people: readonly MockPerson[];
  /** @default 'Access-Token' */
  header?: string;
  /**
   * The word before the token, like `Bearer`; a credential without it is refused.
   * @default none
   */
  scheme?: string;
  /**
   * A refresh token works once; its second use ends every token that came from the same login.
   * @default true
   */
  oneUseRefresh?: boolean;
  /**
   * Seconds until an access token expires by the clock. Told in the answers.
   * @default never, and not told
   */
  expiresIn?: number;
  /** Milliseconds that the answers of `/login`, `/refresh` and `/logout` take; they are judged on arrival. */
  delay?: number;
  /**
   * Access tokens are JWTs with `sub`, `exp` and the readable name as `jti`.
   * @default false
   */
  jwt?: boolean;
}

/** What a login or a refresh answers with. */
export interface MockTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn?: number;
  user: { id: string; name: string };
}

export interface TokenAuthCounts {
  logins: number;
  /** Refreshes that gave new tokens. */
  refreshes: number;
  refusedRefreshes: number;
  logouts: number;
  /** 401 answers of `authorize`, that is of resources. */
  unauthorized: number;
}

export interface MockTokenServer extends MockAuth {
  readonly handlers: RequestHandler[];
  readonly counts: Readonly<TokenAuthCounts>;
  /** How many answers of `/refresh` are held now. */
  readonly held: number;
  authorize(judged: IncomingRequest | Request): Response | undefined;
  personOf(judged: IncomingRequest | Request): MockPerson | undefined;
  /** Signs somebody in without HTTP, for stories that start signed in; counts no login. */
  signIn(personId: string): MockTokens;
  /** Refuses all current access tokens from now on; refresh tokens go on working. */
  expireAccessTokens(): void;
  /** Ends all logins of a person: access tokens and refreshes are refused. */
  revoke(personId: string): void;
  /** Resources answer 401 whatever they are sent, while refreshes go on working. */
  refuseEverything(on?: boolean): void;
  /** Refreshes fail: `true` is 503, a number is that status, `'network'` a network error, `false` ends it. */
  unavailable(outage?: Outage): void;
  /** Holds the answers of refreshes, which are judged and counted on arrival, until released: as they are, or `'lost'`. */
  holdRefresh(): Release;
  /** Refreshes are neither judged nor answered. `false` ends it; what waited then gets a network error. */
  silent(on?: boolean): void;
  /** Back to the beginning: nobody is signed in, the numbers start at 1, answers that are held are lost. */
  reset(): void;
}

/** All tokens that come from one login: only the newest pair is good. */
interface Family {
  person: MockPerson;
  access?: string;
  expiresAt: number;
  revoked: boolean;
}

/**
 * A server with access and refresh tokens that judges like a real one. Only the newest access token of a login is accepted, and it
 * can be read: `ada-1`, then `ada-2`; refresh tokens are `ada-refresh-1`.
 *
 * Answers: `POST /login { username, password }` 200, 400, 401, 422; `POST /refresh { refreshToken }` 200, 400, 401;
 * `POST /logout`, with a credential or a refresh token in its body, 204 or 401.
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
 * @throws Error from `signIn` and `revoke` when nobody has the given id
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

  function issue(family: Family, keptRefreshToken?: string): MockTokens {
    const { id, name, role } = family.person;
    const number = (numbers.get(id) ?? 0) + 1;
    numbers.set(id, number);
    const now = Date.now();
    family.expiresAt = now + lifetime * 1_000;
    const claims = { sub: id, name, role, iat: Math.floor(now / 1_000), exp: Math.floor(family.expiresAt / 1_000) };
    const accessToken = jwt ? mockJwt({ ...claims, jti: `${id}-${number}` }) : `${id}-${number}`;
    const refreshToken = keptRefreshToken ?? `${id}-refresh-${number}`;
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
      // A second use tells that the token was copied: nobody can say which holder is the right one.
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

  async function late(response: Response): Promise<Response> {
    if (options.delay) await delay(options.delay);
    return response;
  }

  const handlers = [
    http.post(`${url}/login`, async ({ request }) => {
      const judged = await checkLogin(request, people);
      if (judged instanceof Response) return late(judged);
      counts.logins += 1;
      return late(HttpResponse.json(open(judged)));
    }),
    http.post(`${url}/refresh`, async ({ request }) => {
      if ((await silence.pass()) === 'lost') return HttpResponse.error();
      const response = outage === false ? await checkRefresh(request) : outageResponse(outage);
      if ((await answers.pass()) === 'lost') return HttpResponse.error();
      return late(response);
    }),
    http.post(`${url}/logout`, async ({ request }) => late(await checkLogout(request))),
  ];

  return {
    handlers,
    counts,
    get held() {
      return answers.held;
    },
    personOf: judged => familyOf(requestOf(judged))?.person,
    authorize(judged) {
      if (!refusing && familyOf(requestOf(judged))) return undefined;
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

function requestOf(judged: IncomingRequest | Request): Request {
  return 'request' in judged ? judged.request : judged;
}
