import { delay, http, HttpResponse, type RequestHandler } from 'msw';
import { createGate, type Release } from './createGate.js';
import { checkLogin } from './checkLogin.js';
import { outageResponse, type Outage } from './outageResponse.js';
import type { IncomingRequest, MockAuth, MockPerson } from './MockAuth.js';
import { withCookies } from './withCookies.js';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

export interface CookieAuthOptions {
  people: readonly MockPerson[];
  /**
   * The server's address; `/login`, `/logout`, `/whoami` and `/csrf` stand below it.
   * @default '' (the page's own origin)
   */
  url?: string;
  /** @default 'session' */
  cookie?: string;
  /**
   * Unsafe methods need a CSRF header equal to a cookie that the server knows, login and logout too. `{}` takes the names of
   * Django: the cookie `csrftoken`, the header `X-CSRFToken`. `exempt` lists paths that need none, like `/login`.
   * @default no check
   */
  csrf?: { cookie?: string; header?: string; exempt?: readonly string[] };
  /** Milliseconds that the answers of the four endpoints take; they are judged on arrival, cookies are set with the answer. */
  delay?: number;
}

export interface CookieAuthCounts {
  logins: number;
  logouts: number;
  /** 401 answers of `authorize` and of `/whoami`. */
  unauthorized: number;
  /** 403 answers for a CSRF token that was missing, stale or made up. */
  refusedCsrf: number;
  /** Answers of `/csrf`. */
  csrfTokens: number;
}

export interface MockCookieServer extends MockAuth {
  readonly handlers: RequestHandler[];
  readonly counts: Readonly<CookieAuthCounts>;
  /** The cookies it sets, for whoever cleans up between stories. */
  readonly cookieNames: readonly string[];
  /** How many answers are held now. */
  readonly held: number;
  /** Signs somebody in without HTTP: sets `document.cookie`, and returns the cookies for tests that have no document. */
  signIn(personId: string): Record<string, string>;
  /** Forgets all sessions; the page keeps its cookies, which mean nothing any more. */
  expire(): void;
  /** Changes the CSRF token and the page's cookie, as an answer to another tab does. */
  rotateCsrf(): void;
  /** Changes the CSRF token and leaves the page with the stale cookie, until it asks `/csrf` for the new one. */
  expireCsrf(): void;
  /** `/whoami` and `/csrf` fail: `true` is 503, a number is that status, `'network'` a network error, `false` ends it. */
  unavailable(outage?: Outage): void;
  /** Holds the answers of the four endpoints, and their cookies, until released: as they are, or `'lost'`. */
  hold(): Release;
  /** Back to the beginning: no sessions, numbers from 1, no cookies of it on the page, answers that are held are lost. */
  reset(): void;
}

/**
 * A server with a session cookie, and CSRF tokens if asked, that judges like a real one. Its cookies are real ones of the page,
 * `session=ada-1` and `csrftoken=csrf-1`, set with `document.cookie` because msw cannot set one that scripts do not see.
 * A request brings cookies by its credentials mode: `omit` none, `same-origin` none to another origin.
 *
 * Answers: `POST /login { username, password }` 200, 400, 401, 422; `POST /logout` 204 or 401; `GET /whoami` 200 or 401;
 * `GET /csrf` 204; and 403 to an unsafe method without the right CSRF header. A login makes a new CSRF token.
 *
 * @example
 * const server = cookieAuthHandlers({ people: [{ id: 'ada', name: 'Ada Lovelace', password: 'lovelace' }], csrf: {} });
 * // in a story that starts signed in
 * beforeEach: ({ msw }) => {
 *   msw.use(...server.handlers, ...articles.handlers);
 *   server.signIn('ada');
 *   return () => server.reset();
 * }
 * @throws Error from `signIn` when nobody has the given id
 */
export function cookieAuthHandlers(options: CookieAuthOptions): MockCookieServer {
  const { people, url = '', cookie = 'session', csrf } = options;
  const csrfCookie = csrf?.cookie ?? 'csrftoken';
  const csrfHeader = csrf?.header ?? 'X-CSRFToken';
  const counts: CookieAuthCounts = { logins: 0, logouts: 0, unauthorized: 0, refusedCsrf: 0, csrfTokens: 0 };
  const sessions = new Map<string, MockPerson>();
  const numbers = new Map<string, number>();
  const answers = createGate();
  const cookieNames = csrf ? [cookie, csrfCookie] : [cookie];
  const forgotten = Object.fromEntries(cookieNames.map(name => [name, undefined]));
  let csrfToken: string | undefined;
  let outage: Outage = false;

  function next(name: string): string {
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    return `${name}-${number}`;
  }

  function newCsrfToken(): Record<string, string> {
    if (!csrf) return {};
    csrfToken = next('csrf');
    return { [csrfCookie]: csrfToken };
  }

  function open(person: MockPerson): Record<string, string> {
    const session = next(person.id);
    sessions.set(session, person);
    return { [cookie]: session, ...newCsrfToken() };
  }

  function cookiesOf({ request, cookies = {} }: IncomingRequest): Readonly<Record<string, string>> {
    // msw shows cookies that another mock set even for `omit`, so the mode is judged here as well.
    if (request.credentials === 'omit') return {};
    const page = globalThis.location?.origin;
    const isElsewhere = page !== undefined && new URL(request.url).origin !== page;
    return request.credentials === 'same-origin' && isElsewhere ? {} : cookies;
  }

  function personOf(judged: IncomingRequest): MockPerson | undefined {
    return sessions.get(cookiesOf(judged)[cookie] ?? '');
  }

  function refuse(): Response {
    counts.unauthorized += 1;
    return HttpResponse.json({ message: 'Nobody is signed in.' }, { status: 401 });
  }

  function refuseForgery(judged: IncomingRequest): Response | undefined {
    if (!csrf || SAFE_METHODS.includes(judged.request.method)) return undefined;
    if (csrf.exempt?.some(path => judged.request.url.split(/[?#]/)[0]?.endsWith(path))) return undefined;
    const sent = judged.request.headers.get(csrfHeader);
    if (sent !== null && sent === csrfToken && sent === cookiesOf(judged)[csrfCookie]) return undefined;
    counts.refusedCsrf += 1;
    return HttpResponse.json({ detail: 'CSRF Failed: CSRF token missing or incorrect.' }, { status: 403 });
  }

  function authorize(judged: IncomingRequest): Response | undefined {
    return personOf(judged) ? refuseForgery(judged) : refuse();
  }

  async function answer(response: Response, cookies: Readonly<Record<string, string | undefined>> = {}): Promise<Response> {
    if (options.delay) await delay(options.delay);
    if ((await answers.pass()) === 'lost') return HttpResponse.error();
    return withCookies(response, cookies);
  }

  const handlers = [
    http.post(`${url}/login`, async judged => {
      const refused = refuseForgery(judged);
      if (refused) return answer(refused);
      const person = await checkLogin(judged.request, people);
      if (person instanceof Response) return answer(person);
      counts.logins += 1;
      sessions.delete(cookiesOf(judged)[cookie] ?? '');
      return answer(HttpResponse.json({ id: person.id, name: person.name }), open(person));
    }),
    http.post(`${url}/logout`, async judged => {
      const refused = authorize(judged);
      if (refused) return answer(refused);
      counts.logouts += 1;
      sessions.delete(cookiesOf(judged)[cookie] ?? '');
      csrfToken = undefined;
      return answer(new Response(null, { status: 204 }), forgotten);
    }),
    http.get(`${url}/whoami`, async judged => {
      if (outage !== false) return answer(outageResponse(outage));
      const person = personOf(judged);
      return answer(person ? HttpResponse.json({ id: person.id, name: person.name }) : refuse());
    }),
    http.get(`${url}/csrf`, async () => {
      if (outage !== false) return answer(outageResponse(outage));
      counts.csrfTokens += 1;
      return answer(new Response(null, { status: 204 }), csrfToken ? { [csrfCookie]: csrfToken } : newCsrfToken());
    }),
  ];

  return {
    handlers,
    counts,
    cookieNames,
    get held() {
      return answers.held;
    },
    personOf,
    authorize,
    signIn(personId) {
      const person = people.find(({ id }) => id === personId);
      if (!person) throw new Error(`No mock person has the id "${personId}": add it to \`people\` of cookieAuthHandlers.`);
      const cookies = open(person);
      withCookies(new Response(), cookies);
      return cookies;
    },
    expire: () => sessions.clear(),
    rotateCsrf: () => void withCookies(new Response(), newCsrfToken()),
    expireCsrf: () => void newCsrfToken(),
    unavailable(nextOutage = true) {
      outage = nextOutage;
    },
    hold: () => answers.hold(),
    reset() {
      answers.reset();
      sessions.clear();
      numbers.clear();
      csrfToken = undefined;
      outage = false;
      for (const name of Object.keys(counts) as (keyof CookieAuthCounts)[]) counts[name] = 0;
      withCookies(new Response(), forgotten);
    },
  };
}
