import { delay, http, HttpResponse } from 'msw';
import { createGate } from './createGate.js';
import { checkLogin } from './checkLogin.js';
import { outageResponse, type Outage, networkHandler } from './networkHandler.js';
import { toMockUser, type IncomingRequest, type MockPerson } from './MockAuth.js';
import type { CookieAuthCounts, CookieAuthOptions, MockCookieServer } from './MockCookieServer.js';
import { mockTokens } from './redactLines.js';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Mocks a server with a session cookie and optional CSRF tokens. It checks requests like a real server. Its cookies are real
 * cookies of the page, `session=ada-1` and `csrftoken=csrf-1`. It sets them with `document.cookie`, because msw cannot set an
 * `HttpOnly` cookie. The credentials mode of a request decides about its cookies: `omit` sends none, `same-origin` sends none
 * to another origin.
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
 * @throws Error from `signIn` and `userOf` when no user has the given id
 */
export function cookieAuthHandlers(options: CookieAuthOptions): MockCookieServer {
  const { people, url = '', cookie = 'session', csrf } = options;
  const csrfCookie = csrf?.cookie ?? 'csrftoken';
  const csrfHeader = csrf?.header ?? 'X-CSRFToken';
  const counts: CookieAuthCounts = { logins: 0, logouts: 0, unauthorized: 0, refusedCsrf: 0, csrfTokens: 0 };
  const sessions = new Map<string, MockPerson>();
  const numbers = new Map<string, number>();
  const answers = createGate();
  const rotatesOnLogin = csrf?.rotateOnLogin ?? true;
  const cookieNames = csrf ? [cookie, csrfCookie] : [cookie];
  let csrfToken: string | undefined;
  let outage: Outage = false;

  function personById(id: string): MockPerson {
    const person = people.find(one => one.id === id);
    if (!person) throw new Error(`No mock person has the id "${id}": add it to \`people\` of cookieAuthHandlers.`);
    return person;
  }

  function next(name: string): string {
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    return `${name}-${number}`;
  }

  function newCsrfToken(token?: string): Record<string, string> {
    if (!csrf) return {};
    csrfToken = token ?? next('csrf');
    mockTokens.add(csrfToken);
    return { [csrfCookie]: csrfToken };
  }

  function open(person: MockPerson): Record<string, string> {
    const session = next(person.id);
    sessions.set(session, person);
    return { [cookie]: session, ...(rotatesOnLogin || csrfToken === undefined ? newCsrfToken() : {}) };
  }

  function cookiesOf({ request, cookies = {} }: IncomingRequest): Readonly<Record<string, string>> {
    // msw passes on cookies that another mock set even for `omit`, so this server checks the credentials mode too.
    if (request.credentials === 'omit') return {};
    const page = globalThis.location?.origin;
    const isElsewhere = page !== undefined && new URL(request.url).origin !== page;
    return request.credentials === 'same-origin' && isElsewhere ? {} : cookies;
  }

  function personOf(incoming: IncomingRequest): MockPerson | undefined {
    return sessions.get(cookiesOf(incoming)[cookie] ?? '');
  }

  function refuse(): Response {
    counts.unauthorized += 1;
    return HttpResponse.json({ message: 'Nobody is signed in.' }, { status: 401 });
  }

  function checkCsrf(incoming: IncomingRequest): Response | undefined {
    if (!csrf || SAFE_METHODS.includes(incoming.request.method)) return undefined;
    if (csrf.exempt?.some(path => incoming.request.url.split(/[?#]/)[0]?.endsWith(path))) return undefined;
    const sent = incoming.request.headers.get(csrfHeader);
    if (sent !== null && sent === csrfToken && sent === cookiesOf(incoming)[csrfCookie]) return undefined;
    counts.refusedCsrf += 1;
    return HttpResponse.json({ detail: 'CSRF Failed: CSRF token missing or incorrect.' }, { status: 403 });
  }

  function authorize(incoming: IncomingRequest): Response | undefined {
    return personOf(incoming) ? checkCsrf(incoming) : refuse();
  }

  async function answer(
    response: Response,
    cookies: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Response> {
    if (options.delay) await delay(options.delay);
    if ((await answers.pass()) === 'lost') return HttpResponse.error();
    return withCookies(response, cookies);
  }

  const handlers = [
    http.post(`${url}/login`, async incoming => {
      const refused = checkCsrf(incoming);
      if (refused) return answer(refused);
      const person = await checkLogin(incoming.request, people);
      if (person instanceof Response) return answer(person);
      counts.logins += 1;
      sessions.delete(cookiesOf(incoming)[cookie] ?? '');
      return answer(HttpResponse.json(toMockUser(person)), open(person));
    }),
    http.post(`${url}/logout`, async incoming => {
      const refused = authorize(incoming);
      if (refused) return answer(refused);
      counts.logouts += 1;
      sessions.delete(cookiesOf(incoming)[cookie] ?? '');
      if (rotatesOnLogin) csrfToken = undefined;
      return answer(new Response(null, { status: 204 }), deleted(rotatesOnLogin ? cookieNames : [cookie]));
    }),
    http.get(`${url}/whoami`, async incoming => {
      if (outage !== false) return answer(outageResponse(outage));
      const person = personOf(incoming);
      return answer(person ? HttpResponse.json(toMockUser(person)) : refuse());
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
      const cookies = open(personById(personId));
      withCookies(new Response(), cookies);
      return cookies;
    },
    userOf: personId => toMockUser(personById(personId)),
    expire: () => sessions.clear(),
    networkHandler: (network, signal) => networkHandler(network, { expire: () => sessions.clear(), signal }),
    rotateCsrf: token => void withCookies(new Response(), newCsrfToken(token)),
    expireCsrf: token => void newCsrfToken(token),
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
      withCookies(new Response(), deleted(cookieNames));
    },
  };
}

function deleted(names: readonly string[]): Record<string, undefined> {
  return Object.fromEntries(names.map(name => [name, undefined]));
}

/**
 * Sets cookies with an answer, percent-encoded. The value `undefined` deletes a cookie. On a page it writes them to
 * `document.cookie`; elsewhere it adds `Set-Cookie` headers to the returned response.
 *
 * On a page, `Set-Cookie` headers would not work. msw stores the cookies of mocked responses in its own jar, but only the first
 * of several. Its handlers then see the jar's cookies before `document.cookie`, for every credentials mode and after reloads.
 */
function withCookies(response: Response, cookies: Readonly<Record<string, string | undefined>>): Response {
  const lines = Object.entries(cookies).map(([name, value]) =>
    value === undefined ? `${name}=; Path=/; Max-Age=0` : `${name}=${encodeURIComponent(value)}; Path=/; SameSite=Lax`,
  );
  if (typeof document === 'undefined') {
    const headers = new Headers(response.headers);
    for (const line of lines) headers.append('Set-Cookie', line);
    return lines.length === 0 ? response : new Response(response.body, { status: response.status, headers });
  }
  for (const line of lines) document.cookie = line;
  return response;
}
