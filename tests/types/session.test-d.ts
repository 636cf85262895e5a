import { expectTypeOf, test } from 'vitest';
import {
  attachHeader,
  authEndpoint,
  createCookieSession,
  createSession,
  createSdkSession,
  createTokenSession,
  Entity,
  RestEndpoint,
  TokenAuthProvider,
  useAuth,
  type CsrfOptions,
  type Mechanism,
  type Refusal,
  type RequestToAttach,
  type Session,
  type SessionSnapshot,
  type SignedIn,
  type TokenSession,
} from '../../src/index.js';
import { sessionClock } from '../../src/entries/clock.js';
import { stepUp } from '../../src/entries/step-up.js';

interface Person {
  id: string;
  name: string;
}
interface Credentials {
  username: string;
  password: string;
}

const login = new RestEndpoint({
  path: '/login',
  method: 'POST',
  body: {} as Credentials,
  process: (value): { accessToken: string; refreshToken: string; user: Person } => value,
});
const refresh = new RestEndpoint({ path: '/refresh', method: 'POST' });
const logout = new RestEndpoint({ path: '/logout', method: 'POST', body: undefined });
const whoami = new RestEndpoint({ path: '/whoami', process: (value): Person => value });
const session = createTokenSession({ login, refresh, logout });

test('a token session infers the arguments of login and the person from a RestEndpoint as it is', () => {
  expectTypeOf(session).toEqualTypeOf<
    TokenSession<Person, [body: Credentials], [], { accessToken: string; refreshToken: string; user: Person }>
  >();
  expectTypeOf(session.enter).parameters.toEqualTypeOf<
    [
      result: { accessToken: string; refreshToken: string; user: Person },
      choice?: { readonly remember?: boolean | undefined },
    ]
  >();
  expectTypeOf(session.enter).returns.resolves.toEqualTypeOf<Person | undefined>();
  expectTypeOf(session.getToken).toEqualTypeOf<() => Promise<string>>();
  expectTypeOf(session.ready).toEqualTypeOf<() => Promise<void>>();
  expectTypeOf(session.getIdentitySignal()).toEqualTypeOf<AbortSignal>();
  // @ts-expect-error The answer has no token.
  void session.enter({ user: { id: 'ada', name: 'Ada' } });
  expectTypeOf(session.login).parameters.toEqualTypeOf<[body: Credentials]>();
  expectTypeOf(session.login).returns.resolves.toEqualTypeOf<Person | undefined>();
  expectTypeOf(session.getSnapshot()).toEqualTypeOf<SessionSnapshot<Person>>();
  // @ts-expect-error The password is missing.
  void session.login({ username: 'ada' });
  // @ts-expect-error The credentials are missing.
  void session.login();
});

test('a token session infers them from any function that returns a promise', () => {
  const session = createTokenSession({
    login: async (name: string, code: number) => ({
      accessToken: `${name}${code}`,
      user: { id: 7, roles: ['reader'] },
    }),
  });
  expectTypeOf(session.login).parameters.toEqualTypeOf<[name: string, code: number]>();
  expectTypeOf(session.getSnapshot().user).toEqualTypeOf<{ id: number; roles: string[] } | undefined>();
  // @ts-expect-error The code is a number.
  void session.login('ada', '1');
});

test('an answer without a person leaves the user unknown', () => {
  const session = createTokenSession({
    login: async () => ({ token: 'ada-1' }),
    parseTokens: ({ token }: { token: string }) => ({ accessToken: token }),
  });
  expectTypeOf(session.getSnapshot().user).toEqualTypeOf<unknown>();
  expectTypeOf(session.login).parameters.toEqualTypeOf<[]>();
});

test('`parseTokens` gets the login’s result', () => {
  const session = createTokenSession({
    login: async (name: string) => ({ data: { token: `${name}-1` }, user: { id: name } }),
    parseTokens: answer => {
      expectTypeOf(answer).toEqualTypeOf<{ data: { token: string }; user: { id: string } }>();
      return { accessToken: answer.data.token };
    },
  });
  expectTypeOf(session).toEqualTypeOf<
    TokenSession<{ id: string }, [name: string], [], { data: { token: string }; user: { id: string } }>
  >();
  createTokenSession({
    login: new RestEndpoint({ path: '/login', method: 'POST', process: (value): { jwt: string } => value }),
    parseTokens: ({ jwt }) => ({ access_token: jwt }),
  });
});

test('a login whose result has no token needs `parseTokens`', () => {
  createTokenSession({ login: async () => ({ access_token: 'ada-1', token_type: 'Bearer', expires_in: 3600 }) });
  createTokenSession({ login: new RestEndpoint({ path: '/login', method: 'POST' }) });
  createTokenSession({ login: async (): Promise<unknown> => ({}) });
  createTokenSession({ login: async () => Promise.reject(new Error('offline')) });
  // @ts-expect-error The result has no token.
  createTokenSession({ login: async () => ({ token: 'ada-1' }) });
  // @ts-expect-error The token is a string.
  createTokenSession({ login: async () => ({ accessToken: 5 }) });
  // @ts-expect-error The result of this endpoint is a user, without a token.
  createTokenSession({ login: whoami });
});

test('the options of a token session are checked', () => {
  // @ts-expect-error A session needs a login.
  createTokenSession({});
  // @ts-expect-error A login returns a promise.
  createTokenSession({ login: () => ({ accessToken: 'ada-1' }) });
  createTokenSession({ login, storage: { remembered: 'local', otherwise: 'memory' } });
  // @ts-expect-error A tab does not share the session storage.
  createTokenSession({ login, storage: { remembered: 'session', otherwise: 'memory' } });
  // @ts-expect-error No such storage.
  createTokenSession({ login, storage: 'cookie' });
  // @ts-expect-error Origins are a list.
  createTokenSession({ login, trustedOrigins: 'https://api.example.com' });
  // @ts-expect-error What `token` returns has the access token.
  createTokenSession({ login, parseTokens: () => ({ refreshToken: 'r' }) });
});

test('a cookie session takes the person from whoami, the arguments from login, and endpoints as they are', () => {
  const session = createCookieSession({ login, logout, whoami });
  expectTypeOf(session.login).parameters.toEqualTypeOf<[body: Credentials]>();
  expectTypeOf(session.getSnapshot().user).toEqualTypeOf<Person | undefined>();
  expectTypeOf(session.enter).toEqualTypeOf<() => Promise<Person | undefined>>();
  // @ts-expect-error A cookie session has no token to give.
  void session.getToken;
  // @ts-expect-error A cookie session asks who is signed in.
  createCookieSession({ login });
});

test('useAuth knows the session it is told of', () => {
  const auth = useAuth<typeof session>();
  expectTypeOf(auth.user).toEqualTypeOf<Person | undefined>();
  expectTypeOf(auth.status).toEqualTypeOf<'restoring' | 'anonymous' | 'authenticated' | 'locked'>();
  expectTypeOf(auth.reason).toEqualTypeOf<'signed-out' | 'expired' | 'elsewhere' | 'idle' | undefined>();
  expectTypeOf(auth.error).toEqualTypeOf<Error | undefined>();
  expectTypeOf(auth.login).parameters.toEqualTypeOf<[body: Credentials]>();
  expectTypeOf(auth.login).returns.resolves.toEqualTypeOf<Person | undefined>();
  expectTypeOf(auth.logout).toEqualTypeOf<() => Promise<void>>();
  expectTypeOf(auth.enter).toEqualTypeOf<typeof session.enter>();
  // @ts-expect-error The password is missing.
  void auth.login({ username: 'ada' });
  // @ts-expect-error The answer of a registration has a token.
  void auth.enter({});
  // @ts-expect-error The epoch is not the screen's business.
  void auth.epoch;
});

test('without a registered session, useAuth takes any login and knows nothing about the user', () => {
  const auth = useAuth();
  void auth.login({ username: 'ada', password: 'lovelace' });
  void auth.enter({ accessToken: 'ada-1' });
  expectTypeOf(auth.user).toEqualTypeOf<unknown>();
});

test('a user whose type nobody has named is unknown, not any', () => {
  const untyped = new RestEndpoint({ path: '/whoami' });
  const session = createCookieSession({ login, logout, whoami: untyped });
  expectTypeOf(session.getSnapshot().user).toEqualTypeOf<unknown>();
  sessionClock({
    endsAt: user => {
      expectTypeOf(user).toEqualTypeOf<unknown>();
      return undefined;
    },
  });
});

test('every session fits a provider and authEndpoint, and nothing else does', () => {
  const token = createTokenSession({ login });
  const cookie = createCookieSession({ login, logout, whoami });
  authEndpoint(token);
  authEndpoint(cookie);
  TokenAuthProvider({ session: token, children: null });
  // @ts-expect-error An object is no session.
  authEndpoint({});
  // @ts-expect-error A provider needs a session.
  TokenAuthProvider({ children: null });
});

test('the requests that carry the CSRF token are those that change something, or all', () => {
  expectTypeOf<CsrfOptions['on']>().toEqualTypeOf<'unsafe' | 'all' | undefined>();
  expectTypeOf<{ on: 'all'; header: 'X-CSRF'; read: () => string }>().toExtend<CsrfOptions>();
  expectTypeOf<{ on: 'safe' }>().not.toExtend<CsrfOptions>();
});

test('the arguments of logout are those of the option, after the tokens', () => {
  const signIn = async () => ({ accessToken: 'ada-1', user: { id: 'ada' } });
  const token = createTokenSession({
    login: signIn,
    logout: async ({ accessToken }, everywhere: boolean) => `${accessToken}${everywhere}`,
  });
  expectTypeOf(token).toEqualTypeOf<
    TokenSession<{ id: string }, [], [everywhere: boolean], { accessToken: string; user: { id: string } }>
  >();
  // @ts-expect-error Everywhere or not?
  void token.logout();
  const cookie = createCookieSession({
    login: signIn,
    whoami,
    logout: async (options: { everywhere: boolean }) => options,
  });
  expectTypeOf(cookie.logout).parameters.toEqualTypeOf<[options: { everywhere: boolean }]>();
  expectTypeOf(
    createTokenSession({ login: signIn, logout: async ({ accessToken }) => accessToken }).logout,
  ).toEqualTypeOf<() => Promise<void>>();
  expectTypeOf(createTokenSession({ login: signIn }).logout).toEqualTypeOf<() => Promise<void>>();
  const auth = useAuth<typeof token>();
  expectTypeOf(auth.logout).parameters.toEqualTypeOf<[everywhere: boolean]>();
  TokenAuthProvider({ session: token, children: null });
  authEndpoint(cookie);
});

test('createSession infers the credential, the user and the arguments from the mechanism, without a cast', () => {
  const session = createSession({
    async login(key: string, remember: boolean) {
      return { credential: { key, remember }, user: { id: 'ada', name: 'Ada' } satisfies Person, subject: 'ada' };
    },
    attach({ init, url }, credential) {
      expectTypeOf(credential).toEqualTypeOf<{ key: string; remember: boolean } | undefined>();
      expectTypeOf(url).toEqualTypeOf<string>();
      return credential ? attachHeader(init, 'X-API-Key', credential.key) : init;
    },
    async refresh(current) {
      expectTypeOf(current.credential).toEqualTypeOf<{ key: string; remember: boolean }>();
      return current;
    },
    classify: response => (response.status === 403 ? 'unauthorized' : undefined),
  });
  expectTypeOf(session).toEqualTypeOf<
    Session<
      { id: string; name: string },
      [key: string, remember: boolean],
      [],
      [signedIn: SignedIn<{ key: string; remember: boolean }, { id: string; name: string }>]
    >
  >();
  void session.enter({ credential: { key: 'k', remember: false }, subject: 'ada' });
  // @ts-expect-error A credential of this mechanism has a key.
  void session.enter({ credential: 'k' });
  expectTypeOf(useAuth<typeof session>().user).toEqualTypeOf<{ id: string; name: string } | undefined>();
  TokenAuthProvider({ session, children: null });
  authEndpoint(session);
  // @ts-expect-error The second argument is missing.
  void session.login('key');
  // @ts-expect-error No such answer.
  createSession({ attach: ({ init }) => init, classify: () => 'refused' });
  // @ts-expect-error A mechanism attaches its credential.
  createSession({ login: async () => ({ credential: 1 }) });
});

test('a mechanism can be written apart from its session', () => {
  const mechanism: Mechanism<CryptoKey, Person, [secret: string], [everywhere: boolean]> = {
    login: async secret => ({
      credential: await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HMAC', false, ['sign']),
    }),
    logout: async (_key, everywhere) => everywhere,
    attach: async ({ init }) => init,
  };
  expectTypeOf(createSession(mechanism, { server: true })).toEqualTypeOf<
    Session<Person, [secret: string], [everywhere: boolean], [signedIn: SignedIn<CryptoKey, Person>]>
  >();
  expectTypeOf<Refusal>().toEqualTypeOf<'unauthorized' | 'csrf-rejected' | 'forbidden'>();
  expectTypeOf<RequestToAttach['init']>().toEqualTypeOf<RequestInit>();
  expectTypeOf<SignedIn<string, Person>['credential']>().toEqualTypeOf<string>();
});

test('the user is an instance of the class in the option `user`, whatever the answers are', () => {
  class User extends Entity {
    id = '';
    name = '';
    role = 'none';
  }
  const sessions = [
    createTokenSession({ login, refresh, logout, user: User, profile: whoami }),
    createCookieSession({ login, whoami, user: User }),
    createSdkSession({ getToken: async () => '', user: User, profile: whoami }),
    createSession({ attach: ({ init }) => init }, { user: User }),
  ] as const;
  const [tokens, cookies, sdk, own] = sessions;
  expectTypeOf(tokens.login).returns.resolves.toEqualTypeOf<User | undefined>();
  expectTypeOf(tokens.login).parameters.toEqualTypeOf<[body: Credentials]>();
  expectTypeOf(tokens.reload).toEqualTypeOf<() => Promise<User>>();
  expectTypeOf(cookies.getSnapshot().user).toEqualTypeOf<User | undefined>();
  expectTypeOf(sdk.getSnapshot().user).toEqualTypeOf<User | undefined>();
  expectTypeOf(own.getSnapshot().user).toEqualTypeOf<User | undefined>();
  expectTypeOf(useAuth<typeof tokens>)
    .returns.toHaveProperty('user')
    .toEqualTypeOf<User | undefined>();
  // Without the option, the answers say who the user is.
  expectTypeOf(session.reload).toEqualTypeOf<() => Promise<Person>>();
  // @ts-expect-error `user` is the class, and no user.
  createTokenSession({ login, user: { id: 'ada' } });
});

test('the answer to a challenge is a function or an endpoint, and says itself which values it takes', () => {
  const verify = (_code: string): Promise<unknown> => Promise.resolve();
  stepUp({ answer: ({ code }) => verify(code) });
  stepUp({ answer: ({ password }: { password: string }, { details }) => verify(`${password} ${String(details)}`) });
  stepUp({ answer: new RestEndpoint({ path: '/step-up', method: 'POST', body: {} as { password: string } }) });
  stepUp({ answer: new RestEndpoint({ path: '/step-up' as string, method: 'POST' }) });
  // @ts-expect-error An answer is sent, so there is a promise.
  stepUp({ answer: () => 'sent' });
});
