// The model keeps a server of its own. It is adversarial: it loses answers, refuses good tokens and replaces cookies whenever a sequence says
// so. And it is deterministic: thousands of runs, each with its own clock and cookie jar, have to play the same way twice.

/**
 * What becomes of a request: the server's own answer, where a refresh or an answer may keep its access token; a challenge, for which the user is
 * asked for more; or a failure.
 */
export type Outcome = 'answered' | 'kept' | 'challenged' | '401' | '503' | 'lost';

/** How long the sessions of the model wait for a refresh. */
export const TIMEOUT_MS = 10_000;

/** Whose a token of the model's server is: `ada-1`, `ada-r-1`, or a JWT of the SDK's. */
function ownerOf(token: string | null): string {
  if (token?.startsWith('h.')) return (JSON.parse(atob(token.split('.')[1]!)) as { sub: string }).sub;
  return token?.split('-')[0] ?? 'nobody';
}

interface Body {
  name?: string;
  refreshToken?: string;
  isRight?: boolean;
}
interface Asked {
  readonly path: string;
  /** Which session sent it. */
  readonly session: string;
  token: string | null;
  readonly body: Body;
  readonly csrf: string | null;
  readonly isUnsafe: boolean;
  /** The page sent it when it could not know whose cookie it carries. */
  readonly isUnaware: boolean;
}

/** What the server's observer knows of the sessions. */
interface Page {
  personIn(session: number): string;
  isGone(session: number): boolean;
  /** Whether tabs cannot read what another one has stored. */
  isHanging(): boolean;
  /** Whether the lock of a tab ends while the server does not answer its refresh: another tab may refresh then. */
  hasShortLock(): boolean;
  /** The sessions whose credential is the cookie: one page, or two tabs that share it. */
  readonly cookieSessions: readonly string[];
}

/** After an answer that is on its way right now was taken over. */
async function soon(act: () => void): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise(resolve => setImmediate(resolve));
  act();
}

/** How long a cookie login waits for what is on its way; what takes longer renews no cookie here. */
const LOGIN_WAIT_MS = 5_000;

/** What a page gets in the place of a login's answer, of which the browser has taken the cookies already. */
function failAfterCookies(outcome: Outcome): Response {
  if (outcome === '503') return Response.json({}, { status: 503 });
  // data-client gives both the status 400.
  if (outcome === 'lost') throw Object.assign(new TypeError('terminated'), { status: 400 });
  throw Object.assign(new SyntaxError('This is not JSON.'), { status: 400 });
}

/** Which session sends a request: its own calls say so in a header, the others in their path. */
function sessionOf(url: string, init: RequestInit): string {
  const session = new Headers(init.headers).get('x-session');
  return session ?? /^\/(?:article|answer)\/(\d)/.exec(new URL(url).pathname)?.[1] ?? '';
}

/** A refusal that asks for more, and says nothing against the credential. */
const challenge = (isUnsafe: boolean) =>
  isUnsafe
    ? Response.json(
        {},
        { status: 403, headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="write"' } },
      )
    : Response.json(
        {},
        { status: 401, headers: { 'WWW-Authenticate': 'Bearer error="insufficient_user_authentication", max_age=0' } },
      );

/** The cookies of the model's browser: exchanged when the server answers, before the page knows of it. */
function cookieJar() {
  return { token: null as string | null, csrf: 'c-0' };
}

/** What the sessions that share the cookie can know of it. */
function cookieAwareness(sessions: readonly string[]) {
  /** Whose cookie another page has replaced, without a sign that they could have seen. */
  const unaware = new Set<string>();
  /** How many calls of each session that say who is signed in are on their way. */
  const checks = new Map<string, number>();
  /** How often another page has replaced the cookie of each session. */
  const replacements = new Map<string, number>();
  const add = (to: Map<string, number>, session: string, by: number) => to.set(session, (to.get(session) ?? 0) + by);
  const replaceFor = (session: string, isSeen: boolean) => {
    add(replacements, session, 1);
    if (!isSeen || (checks.get(session) ?? 0) > 0) unaware.add(session);
  };
  return {
    isUnaware: (session: string) => unaware.has(session),
    replacements: (session: string) => replacements.get(session) ?? 0,
    isChecking: () => sessions.some(session => (checks.get(session) ?? 0) > 0),
    onCheckSent: (session: string) => add(checks, session, 1),
    onCheckArrived: (session: string) => add(checks, session, -1),
    /** The server tells a session who is signed in. */
    onTold: (session: string) => unaware.delete(session),
    /** A tab has replaced the cookie. The answer that the other one waits for may be too old by now. */
    onReplaced: (by: string) => sessions.forEach(session => session !== by && replaceFor(session, true)),
    /** A page that is not the app has replaced the cookie. */
    onReplacedElsewhere: (isSeen: boolean) => sessions.forEach(session => replaceFor(session, isSeen)),
  };
}

/**
 * The server of the model: it checks a request when it answers, holds every answer until told, and notes every promise that
 * a request breaks. The path of a request tells which session sent it and who started it: `/article/0-ada-7`, or
 * `/article/0-unknown-7` while that was not known yet: then it is whoever was found. `/article/0-left-7` comes from a screen whose
 * identity has left, and must never come.
 */
export function modelServer(now: () => number, page: Page) {
  const broken: string[] = [];
  const valid = new Set<string>();
  /** The access token that each refresh token was given out with. */
  const refreshTokens = new Map<string, string>();
  const spent = new Set<string>();
  /** Tokens that the server has refused. */
  const refused = new Set<string | null>();
  /** Whether a session was told to refresh. */
  let mayRefresh = false;
  const forgiven = new Set<string>();
  const replaced = new Set<string>();
  /** What is being refreshed: since when, and by which session. */
  const refreshing = new Map<string, { at: number; session: string }>();
  const jar = cookieJar();
  const awareness = cookieAwareness(page.cookieSessions);
  /** How often each session gave up what it had asked. */
  const givenUp = new Map<string, number>();
  let held: { session: string; respond: (outcome: Outcome) => void }[] = [];
  let issued = 0;
  let arriving = 0;
  /** After an expiry, the server takes no CSRF token from before. */
  let csrfGeneration = 0;

  /** A CSRF token belongs to one session cookie. */
  const csrfOf = (token: string | null) => `c-${csrfGeneration}-${token}`;
  const setCookie = (token: string | null) => {
    jar.token = token;
    jar.csrf = csrfOf(token);
  };
  const issueToken = (person: string, token = `${person}-${++issued}`) => {
    valid.add(token);
    return token;
  };
  const issue = (person: string, accessToken = issueToken(person)) => {
    const refreshToken = `${person}-r-${++issued}`;
    refreshTokens.set(refreshToken, accessToken);
    return Response.json({ accessToken, refreshToken, user: { id: person } });
  };
  const refuse = (token: string | null) => {
    refused.add(token);
    return Response.json({}, { status: 401 });
  };
  /** @param keeps Whether the access token goes on living, and only the refresh token is another one. */
  const checkRefresh = (refreshToken: string, keeps: boolean) => {
    const person = ownerOf(refreshToken);
    const accessToken = refreshTokens.get(refreshToken);
    if (accessToken === undefined) return refuse(refreshToken);
    if (!refused.has(accessToken) && !mayRefresh) broken.push('a token was refreshed that no server had refused');
    refreshTokens.delete(refreshToken);
    void soon(() => page.isHanging() || forgiven.has(refreshToken) || spent.add(refreshToken));
    return issue(person, keeps ? issueToken(person, accessToken) : undefined);
  };
  const isAccepted = ({ token }: Asked) => token !== null && valid.has(token);
  /** The user's answer to a challenge. */
  const checkAnswer = ({ token, body }: Asked, isCookie: boolean, keeps: boolean) => {
    if (!body.isRight) return Response.json({}, { status: 422 });
    return isCookie || keeps ? new Response(null, { status: 204 }) : issue(ownerOf(token));
  };
  const own: Record<string, (asked: Asked, outcome: Outcome) => Response> = {
    '/login': ({ body }) => issue(body.name!),
    '/restore': () => issue('cy'),
    '/refresh': ({ body }, outcome) => checkRefresh(body.refreshToken!, outcome === 'kept'),
    '/logout': () => new Response(null, { status: 204 }),
    '/cookie/login': ({ body, session }) => {
      setCookie(issueToken(body.name!));
      awareness.onTold(session);
      awareness.onReplaced(session);
      return Response.json({ id: body.name });
    },
    '/cookie/logout': ({ token, csrf, session }) => {
      if (csrf !== null && csrf !== csrfOf(token)) return Response.json({}, { status: 419 });
      if (token !== null) valid.delete(token);
      jar.token = null;
      awareness.onReplaced(session);
      return new Response(null, { status: 204 });
    },
    '/cookie/whoami': asked => Response.json(isAccepted(asked) ? { id: ownerOf(asked.token) } : null),
    '/cookie/csrf': () => {
      jar.csrf = csrfOf(jar.token);
      return new Response(null, { status: 204 });
    },
  };
  /**
   * The kit promises nothing of reads before the page can know of a switch, nor of changes of a tab whose own login was on its way: it has
   * taken the CSRF token of the other tab's for its own.
   */
  const isExcusedAsUnaware = ({ isUnsafe, isUnaware }: Asked) =>
    isUnaware && (!isUnsafe || page.cookieSessions.length > 1);
  /** After a switch, the server refuses a change with the CSRF token of before. */
  const isExcused = (asked: Asked, isSwitched: boolean) =>
    isExcusedAsUnaware(asked) || (asked.isUnsafe && isSwitched && asked.csrf !== csrfOf(asked.token));
  const check = (asked: Asked, isCookie: boolean, outcome: Outcome): Response => {
    const answer = own[asked.path];
    if (answer) return answer(asked, outcome);
    if (!isAccepted(asked)) return refuse(asked.token);
    if (isCookie && asked.isUnsafe && asked.csrf !== csrfOf(asked.token)) return Response.json({}, { status: 419 });
    if (asked.path.startsWith('/answer/')) return checkAnswer(asked, isCookie, outcome === 'kept');
    if (outcome === 'challenged') return challenge(asked.isUnsafe);
    if (isCookie && isExcusedAsUnaware(asked)) return Response.json({}, { status: 503 });
    return Response.json({ id: ownerOf(asked.token) });
  };

  const inspectRequest = ({ path, token, isUnaware }: Asked, isCookie: boolean, isSwitched: boolean) => {
    const [, session, starter] = /^\/(?:article|answer)\/(\d)-([a-z]+)-/.exec(path) ?? [];
    if (starter === undefined) return;
    if (starter === 'left') broken.push('a request was sent from the screen of an identity that had left');
    if (starter === 'left') return;
    const person = starter === 'unknown' ? page.personIn(Number(session)) : starter;
    // Another tab or page has signed out, maybe during the preflight, or a late sign-out has removed the cookie: no page can know before it is
    // told. It is sent as nobody.
    const isGoneElsewhere = isCookie && token === null && (page.cookieSessions.length > 1 || isUnaware || isSwitched);
    if (person !== ownerOf(token) && !isGoneElsewhere)
      broken.push(`a request of ${person} was sent as ${ownerOf(token)}`);
    if (replaced.has(`${session} ${token}`))
      broken.push('a request was sent with a token that the session had replaced');
  };
  /** The refresh token may be used once more. */
  const forgive = (refreshToken: string) => {
    spent.delete(refreshToken);
    forgiven.add(refreshToken);
  };
  const losesLock = (askedAt: number) => page.hasShortLock() && now() - askedAt >= TIMEOUT_MS;
  /** @param of What is renewed: one that is not answered in time may be asked for once more. */
  const inspectRefresh = (of: string, session: string) => {
    if (page.isHanging()) return;
    if (now() - (refreshing.get(of)?.at ?? -Infinity) < TIMEOUT_MS)
      broken.push('two refreshes of one identity were in flight at once');
    if (spent.has(of)) broken.push('a refresh token was used once more');
    refreshing.set(of, { at: now(), session });
  };
  /** An answer that waits until its outcome is known. */
  const answerTo = (session: string): Promise<Outcome> => new Promise(respond => held.push({ session, respond }));

  /** A cookie answer on its way to the page: the server has checked and exchanged the cookie. It may be lost now, or renew its cookie. */
  const arrive = async (
    asked: Asked,
    answer: Response,
    { askedAt, replacedBefore }: { askedAt: number; replacedBefore: number },
    isDropped: () => boolean,
  ): Promise<Response> => {
    const { path, token, session } = asked;
    const outcome = await answerTo(session);
    if (path === '/cookie/whoami' && token === jar.token && now() - askedAt < TIMEOUT_MS) awareness.onTold(session);
    if (path === '/cookie/login') {
      if (outcome === 'answered' || outcome === 'kept') return answer;
      return failAfterCookies(outcome);
    }
    // An answer that renews the first user's cookie after the switch is what no page can know.
    const renews =
      outcome === 'kept' &&
      awareness.replacements(session) === replacedBefore &&
      token !== null &&
      answer.ok &&
      path !== '/cookie/logout';
    if (renews && !isDropped()) jar.token = token;
    return answer;
  };

  const take = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    const path = new URL(url).pathname;
    const isCookie = init.credentials === 'include';
    const session = sessionOf(url, init);
    const asked: Asked = {
      path,
      session,
      token: headers.get('access-token') ?? (isCookie ? jar.token : null),
      // The body of a `Request` is a Blob; only that of a refresh or a login is looked into.
      body: (typeof init.body === 'string' ? JSON.parse(init.body) : {}) as Body,
      csrf: headers.get('x-csrf-token'),
      isUnsafe: init.method === 'PATCH' || path.startsWith('/answer/'),
      isUnaware: awareness.isUnaware(session),
    };
    const { refreshToken } = asked.body;
    if (page.isGone(Number(session))) return new Promise(() => {});
    const [askedAt, askedIn] = [now(), givenUp.get(session)];
    const replacedBefore = awareness.replacements(session);
    if (isCookie && asked.isUnsafe) {
      // The preflight. The browser attaches the cookie after it.
      if ((await answerTo(session)) === 'lost') throw new TypeError('fetch failed');
      if (init.signal?.aborted) return new Promise(() => {});
      asked.token = jar.token;
    }
    if (path === '/refresh') inspectRefresh(refreshToken!, session);
    else {
      const isSwitched = awareness.isUnaware(session) || awareness.replacements(session) > replacedBefore;
      if (!(isCookie && isExcused(asked, isSwitched))) inspectRequest(asked, isCookie, isSwitched);
    }
    if (/^\/(article|answer)\//.test(path) && init.cache !== 'no-store')
      broken.push('a request was sent that the HTTP cache may answer with what another user has read');
    const outcome = await answerTo(session);
    if (path === '/refresh') {
      if (losesLock(askedAt)) forgiven.add(refreshToken!);
      refreshing.delete(refreshToken!);
      arriving++;
      void soon(() => arriving--);
    }
    const isAbandoned = givenUp.get(session) !== askedIn;
    // A sign-out that the server comes to later than anybody waits for it may end whoever signed in since: as nobody, not as another.
    const isLate = path === '/cookie/logout' && (now() - askedAt >= TIMEOUT_MS || isAbandoned);
    if (outcome === 'lost' || isLate) throw new TypeError('fetch failed');
    if (outcome === '401') {
      // What a server has refused once, it does not accept later.
      if (refreshToken !== undefined) refreshTokens.delete(refreshToken);
      return refuse(refreshToken ?? asked.token);
    }
    if (outcome === '503') return Response.json({}, { status: 503 });
    const answer = check(asked, isCookie, outcome);
    return isCookie
      ? arrive(
          asked,
          answer,
          { askedAt, replacedBefore },
          () => init.signal?.aborted === true || now() - askedAt >= LOGIN_WAIT_MS,
        )
      : answer;
  };
  const fetch = (url: string, init: RequestInit = {}) =>
    new Promise<Response>((resolve, reject) => {
      const { signal } = init;
      if (signal?.aborted) return reject(signal.reason as Error);
      const abort = () => reject(signal!.reason as Error);
      signal?.addEventListener('abort', abort, { once: true });
      // Node keeps a composed signal, and with it the whole session, as long as anything listens to it.
      const isCheck = /\/cookie\/(login|whoami)/.test(url);
      const session = sessionOf(url, init);
      if (isCheck) awareness.onCheckSent(session);
      void take(url, init)
        .finally(() => isCheck && void soon(() => awareness.onCheckArrived(session)))
        .then(resolve, reject)
        .finally(() => signal?.removeEventListener('abort', abort));
    });

  return {
    /** What went against the promises, in words. */
    broken,
    jar,
    /** Whom the cookie signs in; undefined while it signs in nobody. */
    cookieOwner: () => (jar.token === null ? undefined : ownerOf(jar.token)),
    fetch,
    answerTo,
    inspectRefresh,
    issueToken,
    allowRefresh: () => void (mayRefresh = true),
    /** Whether the server has refused this token. */
    isRefused: (token: string) => refused.has(token),
    /** The tab that used this refresh token is gone, and could not store the next one. */
    forgive,
    /** The user has signed out: until another tab hears of it, it may refresh the same sign-in, which is over for the server. */
    onSignOut: (session: number) => {
      for (const [of, refresh] of refreshing) {
        if (refresh.session !== String(session)) continue;
        refreshing.delete(of);
        forgive(of);
      }
    },
    refreshed: (of: string) => void refreshing.delete(of),
    /** Whether a refresh is under way, or its answer is about to be taken over. */
    isRefreshing: () => refreshing.size + arriving > 0,
    /** The person's access tokens are no longer accepted, nor is the page's CSRF token. */
    expire: (person: string) => {
      for (const token of valid) if (ownerOf(token) === person) valid.delete(token);
      csrfGeneration++;
    },
    /** No request of the session may carry this token from the next turn on: what is being sent right now has read it already. */
    replace: (session: number, token: string, isHeld: () => boolean) =>
      void setImmediate(() => isHeld() || replaced.add(`${session} ${token}`)),
    /** What a tab has left it may find again in the storage. */
    hold: (session: number, token: string) => void replaced.delete(`${session} ${token}`),
    answer: (which: number, outcome: Outcome) =>
      held.splice(which % Math.max(held.length, 1), 1).forEach(({ respond }) => respond(outcome)),
    /** Nobody waits any longer for what this session has asked so far. */
    giveUp: (session: number) => void givenUp.set(String(session), (givenUp.get(String(session)) ?? 0) + 1),
    /** What this session waits for is lost on its way, but for an answer that the browser has already. */
    lose: (session: number) => {
      const lost = held.filter(waiting => waiting.session === String(session));
      held = held.filter(waiting => !lost.includes(waiting));
      lost.forEach(({ respond }) => respond('lost'));
    },
    /** A page that is not the app signs this user in, or signs out, and tells no other page. */
    replaceCookie(person: string | null) {
      setCookie(person === null ? null : issueToken(person));
      awareness.onReplacedElsewhere(true);
    },
    /**
     * The same, while this page stays as it is. Not during a check: its answer would be old, and the page could not know it. A page sees
     * the switch by its CSRF token, if that has changed: after a sign-out it may be the one from before an unseen login.
     */
    switchElsewhere: (person: string | null, isSeen: boolean) => {
      const [owner, csrf] = [ownerOf(jar.token), jar.csrf];
      if (awareness.isChecking() || person === owner) return;
      setCookie(person === null ? null : issueToken(person));
      if (!isSeen) jar.csrf = csrf;
      const wasSeen = jar.csrf !== csrf;
      if (wasSeen || ownerOf(jar.token) !== owner) awareness.onReplacedElsewhere(wasSeen);
    },
    /** Nothing that this session has asked is answered. */
    cutOff: (session: number) => {
      held = held.filter(waiting => waiting.session !== String(session));
      refreshing.clear();
    },
    holds: () => held.length > 0,
  };
}
