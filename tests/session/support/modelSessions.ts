import type { lock } from '../../../src/entries/lock.js';
import type { stepUp } from '../../../src/entries/step-up.js';
import type * as Index from '../../../src/index.js';
import type { GetTokenOptions } from '../../../src/mechanisms/SdkSessionOptions.js';
import type { bindEndpoint, authInitOf } from '../../../src/endpoints/hookifyResource.js';
import type { bindSession } from '../../../src/endpoints/boundSession.js';
import type { createContextSession } from '../../../src/mechanisms/context.js';
import type { SessionCore } from '../../../src/session/extension.js';
import type { modelBrowser } from './modelBrowser.js';
import type { modelServer } from './modelServer.js';
import type { modelStorage } from './modelStorage.js';
import { API, Article } from './article.js';
import { personOf } from './watchSession.js';

/** What the model makes its sessions of: the kit as it is, or one that is broken. */
export type Kit = Pick<typeof Index, 'authEndpoint' | 'createCookieSession' | 'createTokenSession' | 'resource'> & {
  lock: typeof lock;
  stepUp: typeof stepUp;
  createContextSession: typeof createContextSession;
  bindSession: typeof bindSession;
  bindEndpoint: typeof bindEndpoint;
  authInitOf: typeof authInitOf;
};
export type Engine = SessionCore<{ accessToken?: string }, { id?: string; subject?: string }>;

/**
 * Which two sessions a run is about: token sessions that know nothing of each other, two tabs that share a storage or a cookie, or one of
 * another mechanism and a token session.
 */
export type Scenario = 'separate' | 'tabs' | 'cookie tabs' | 'cookie' | 'context';

export interface ModelSetup {
  readonly kit: Kit;
  readonly server: ReturnType<typeof modelServer>;
  readonly browser: ReturnType<typeof modelBrowser>;
  /** What tabs share. */
  readonly storage: ReturnType<typeof modelStorage>;
  /** One of the two ways in which a session of the scenario may be made. */
  readonly variant: boolean;
  /** Each tab asks the server who is signed in when it finds nobody in the storage, as with a refresh cookie. */
  readonly restores: boolean;
}

export interface SessionUnderTest {
  readonly engine: Engine;
  readonly articles: { get: unknown; partialUpdate: unknown };
  login(person: string): Promise<unknown>;
  logout(): Promise<unknown>;
  dispose(): void;
  /** What a provider does when it mounts, beyond subscribing. */
  mount(): void;
}

/** One of the session's own functions, as an app would write it. */
function call(session: number, path: string, init: RequestInit = {}) {
  return async (body: object = {}): Promise<any> => {
    const response = await fetch(`${API}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'x-session': String(session) },
      ...init,
    });
    if (!response.ok) throw Object.assign(new Error(path), { status: response.status });
    return response.status === 204 ? undefined : response.json();
  };
}

/** Asks the user for more, and sends what they say by `session.fetch`. */
function challengeOf({ kit }: ModelSetup, session: number, getSession: () => Index.Session<any, any>) {
  let sent = 0;
  return kit.stepUp({
    async answer(values) {
      const made = getSession();
      const address = `${API}/answer/${session}-${personOf(made as unknown as Engine)}-${sent++}`;
      const response = await made.fetch(address, { method: 'POST', body: JSON.stringify(values) });
      if (!response.ok) throw Object.assign(new Error('answer'), { status: response.status, response });
      return response.status === 204 ? undefined : response.json();
    },
  });
}

function underTest(
  { kit }: ModelSetup,
  made: Index.Session<any, any>,
  more: Partial<SessionUnderTest> = {},
): SessionUnderTest {
  return {
    engine: made as unknown as Engine,
    articles: kit.resource({ urlPrefix: API, path: '/article/:id', schema: Article, Endpoint: kit.authEndpoint(made) }),
    login: name => made.login({ name }),
    logout: () => made.logout(),
    dispose: () => made.dispose(),
    mount: () => {},
    ...more,
  };
}

function tokenSession(setup: ModelSetup, session: number, restores: boolean, isTab: boolean): SessionUnderTest {
  const made: Index.Session<any, any> = setup.kit.createTokenSession({
    extensions: [challengeOf(setup, session, () => made)],
    login: call(session, '/login'),
    refresh: ({ refreshToken }) => call(session, '/refresh')({ refreshToken }),
    logout: call(session, '/logout'),
    ...(restores && { restore: () => call(session, '/restore')() }),
    ...(isTab && { storage: setup.storage.of(session) }),
    trustedOrigins: [API],
    server: true,
    clock: setup.browser.clockOf(session),
  });
  return underTest(setup, made);
}

function cookieSession(setup: ModelSetup, session: number, hasCsrf: boolean): SessionUnderTest {
  const { server } = setup;
  const own = (path: string) => call(session, `/cookie${path}`, { credentials: 'include' });
  const made: Index.Session<any, any> = setup.kit.createCookieSession<[{ name: string }], { id: string }>({
    extensions: [challengeOf(setup, session, () => made)],
    login: own('/login'),
    logout: () => own('/logout')(),
    whoami: () => own('/whoami')(),
    ...(hasCsrf && { csrf: { read: () => server.jar.csrf, fetch: () => own('/csrf')() } }),
    credentials: 'include',
    trustedOrigins: [API],
    server: true,
    clock: setup.browser.clockOf(session),
  });
  return underTest(setup, made);
}

/** An SDK as there are many: it knows the person before the page does, keeps a token, and may take its time. */
function slowSdk({ server }: ModelSetup, session: number, epoch: () => number) {
  const sdk = { person: null as string | null, token: undefined as string | undefined, isSigningIn: 0, signIns: 0 };
  let issued = 0;
  const jwt = (sub: string) => `h.${btoa(JSON.stringify({ sub, n: ++issued }))}.s`;
  const getToken = async (options: GetTokenOptions): Promise<string | null> => {
    const { person } = sdk;
    // A new sign-in of the same user lets go of the refresh before.
    const of = `the SDK's in epoch ${epoch()} after ${sdk.signIns} sign-ins`;
    const isRefresh = options.forceRefresh && !options.challenge && sdk.isSigningIn === 0;
    if (isRefresh) server.inspectRefresh(of, String(session));
    const outcome = await server.answerTo(String(session));
    if (isRefresh) server.refreshed(of);
    if (outcome === '503' || outcome === 'lost') throw new TypeError('fetch failed');
    if (outcome === '401') throw Object.assign(new Error('login_required'), { error: 'login_required' });
    if (person === null) return null;
    // Whoever asked for one person is not given the token of the next.
    if (person !== sdk.person) return jwt(person);
    return options.forceRefresh || sdk.token === undefined
      ? (sdk.token = server.issueToken(person, jwt(person)))
      : sdk.token;
  };
  return { sdk, getToken };
}

function contextSession(setup: ModelSetup, session: number): SessionUnderTest {
  const tellsPerson = setup.variant;
  const { sdk, getToken } = slowSdk(setup, session, () => engine.getSnapshot().epoch);
  const props = () => ({ getToken, ...(tellsPerson && { subject: sdk.person }) });
  const {
    session: engine,
    update,
    close,
  } = setup.kit.createContextSession(
    { clock: setup.browser.clockOf(session), trustedOrigins: [API], extensions: [setup.kit.stepUp()] },
    props(),
  );
  const become = (person: string | null) => {
    if (sdk.person !== person) sdk.token = undefined;
    sdk.person = person;
    update(props());
  };
  return underTest(setup, engine, {
    login: async person => {
      become(person);
      if (tellsPerson && engine.getSnapshot().status === 'authenticated') return;
      sdk.isSigningIn++;
      await engine
        .login()
        .then(() => sdk.signIns++)
        .finally(() => sdk.isSigningIn--);
    },
    logout: async () => {
      become(null);
      await engine.logout();
    },
    dispose: close,
    mount: () => update(props()),
  });
}

/** The two sessions of a run. */
export function modelSessions(scenario: Scenario, setup: ModelSetup): readonly [SessionUnderTest, SessionUnderTest] {
  const inTab = (tab: number, make: () => SessionUnderTest) => setup.browser.inTab(tab, make);
  if (scenario === 'tabs')
    return [
      inTab(0, () => tokenSession(setup, 0, setup.restores, true)),
      inTab(1, () => tokenSession(setup, 1, setup.restores, true)),
    ];
  // Somebody was here before, or nobody.
  if (scenario.startsWith('cookie')) setup.server.replaceCookie(setup.variant ? 'cy' : null);
  if (scenario === 'cookie tabs')
    return [inTab(0, () => cookieSession(setup, 0, true)), inTab(1, () => cookieSession(setup, 1, true))];
  const second = tokenSession(setup, 1, true, false);
  if (scenario === 'cookie') return [cookieSession(setup, 0, setup.variant), second];
  if (scenario === 'context') return [contextSession(setup, 0), second];
  return [tokenSession(setup, 0, false, false), second];
}
