import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { AccountsProvider, createAccounts, useAccounts, useActor, type Accounts } from '../../src/entries/accounts.js';
import {
  Authenticated,
  createCookieSession,
  createTokenSession,
  RestEndpoint,
  useAuth,
  useSessionFetch,
  type Session,
} from '../../src/index.js';
import {
  cookieAuthHandlers,
  createGate,
  requestLines,
  tokenAuthHandlers,
  type MockPerson,
  type MockTokens,
} from '../../src/testing/index.js';
import { ada, articleHandlers, articleHooks, grace, rows } from './articles.js';
import { ArticlesDemo, AuthStatus } from './ArticlesDemo.js';
import type { StoryStart } from './StoryStart.js';

const bob: MockPerson = { id: 'bob', name: 'Bob Bemer', password: 'bemer' };
const people = [ada, grace, bob];
const url = '/api';
export const sent = requestLines({ prefix: url });
export const inTenant = (tenant: string) => ({ 'X-Tenant': tenant });

type User = { id: string; name: string; actor?: { id: string; name: string } };
type AnyAccounts = Accounts<Session<User, any, any, any>>;
const Articles = articleHooks(url);
const login = {
  urlPrefix: url,
  path: '/login',
  method: 'POST',
  body: {} as { username: string; password: string },
} as const;
const logout = new RestEndpoint({ urlPrefix: url, path: '/logout', method: 'POST', body: undefined });
const actAs = new RestEndpoint({ urlPrefix: url, path: '/act-as', method: 'POST', body: {} as { user: string } });
const actAsSelf = new RestEndpoint({ urlPrefix: url, path: '/act-as', method: 'DELETE' });
const ofBob = [...rows, { id: '5', title: 'On the escape key', content: 'Leave.', author: 'bob' }];

/** Who is signed in, as whom they act, and what changes that. */
function Switcher() {
  const { accounts, shown, show, add, showTenant, actAs: act, stopActing } = useAccounts();
  const { login: signIn, logout: signOut } = useAuth();
  const actor = useActor<User>();
  const user = shown.user as User | undefined;
  const [failure, setFailure] = useState('');
  const run = (promise: Promise<unknown>) => void promise.catch((error: Error) => setFailure(error.message));
  const isCookie = !('getToken' in shown.session);
  return (
    <header>
      <p data-testid="who">
        {[`Shown: ${user?.name ?? 'nobody'}`, shown.tenant && `in ${shown.tenant}`, actor && `by ${actor.name}`]
          .filter(Boolean)
          .join(' ')}
      </p>
      {accounts.map(({ id, user: of, tenant }) => (
        <button key={id} type="button" disabled={id === shown.id} onClick={() => show(id)}>
          Show {[(of as User | undefined)?.name ?? 'nobody', tenant].filter(Boolean).join(' in ')}
        </button>
      ))}
      <button type="button" onClick={add}>
        Add an account
      </button>
      {people.map(({ id, name, password }) => (
        <button key={id} type="button" onClick={() => run(signIn({ username: id, password }))}>
          Sign in as {name}
        </button>
      ))}
      {['red', 'blue'].map(tenant => (
        <button key={tenant} type="button" onClick={() => run(showTenant(tenant))}>
          Tenant {tenant}
        </button>
      ))}
      <button type="button" onClick={() => run(act(actAs, { user: 'bob' }))}>
        Act as Bob
      </button>
      <button type="button" onClick={() => run(isCookie ? stopActing(actAsSelf) : stopActing())}>
        Stop acting
      </button>
      <button type="button" onClick={() => run(signOut())}>
        Sign out
      </button>
      <p role="alert">{failure}</p>
    </header>
  );
}

/** A button that changes an article, and the outcome, above the accounts. */
function Rename({ onOutcome }: { onOutcome: (text: string) => void }) {
  const fetch = useSessionFetch();
  const rename = () =>
    fetch(`${url}/article/5`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'On writing' }),
    }).then(
      () => onOutcome('answered'),
      (error: Error) => onOutcome(error.name),
    );
  return (
    <button type="button" onClick={() => void rename()}>
      Rename as the user of now
    </button>
  );
}

function Page({ accounts }: { accounts: AnyAccounts }) {
  const [outcome, setOutcome] = useState('');
  return (
    <>
      <output>{outcome}</output>
      <section aria-label="App">
        <AccountsProvider accounts={accounts as Accounts}>
          <Switcher />
          <Rename onOutcome={setOutcome} />
          <AuthStatus />
          <Authenticated>
            <ArticlesDemo articles={Articles} />
          </Authenticated>
        </AccountsProvider>
      </section>
    </>
  );
}

const forgetAccounts = () => {
  for (const key of Object.keys(localStorage)) if (key.startsWith('data-client-auth')) localStorage.removeItem(key);
};

/** A server with tokens, where Ada may act as others, and where the tenant of a header has articles of its own. */
export function setupTokenAccounts({ keep }: { keep?: number } = {}) {
  const server = tokenAuthHandlers({ url, people });
  const articles = articleHandlers(server, { url, rows: ofBob });
  const ofTenants = http.get(`${url}/article`, incoming => {
    const tenant = incoming.request.headers.get('X-Tenant');
    if (!tenant) return undefined;
    return server.authorize(incoming) ?? HttpResponse.json([{ id: `in-${tenant}`, title: `A row of ${tenant}` }]);
  });
  const acting = http.post(`${url}/act-as`, async incoming => {
    const { user } = (await incoming.request.json()) as { user: string };
    return server.authorize(incoming) ?? HttpResponse.json(server.signIn(user));
  });
  let accounts: AnyAccounts;
  return {
    server,
    articles,
    get accounts() {
      return accounts;
    },
    start:
      (): StoryStart =>
      ({ msw }) => {
        forgetAccounts();
        server.reset();
        articles.reset();
        accounts = createAccounts({
          session: ({ storageKey }) =>
            createTokenSession({
              login: new RestEndpoint({ ...login, process: (value): MockTokens => value }),
              refresh: new RestEndpoint({ urlPrefix: url, path: '/refresh', method: 'POST' }),
              logout,
              storage: { in: 'local', key: storageKey },
            }),
          keep,
          tenantHeader: 'X-Tenant',
        });
        msw.use(ofTenants, acting, ...server.handlers, ...articles.handlers);
        return forgetAccounts;
      },
    page: () => <Page accounts={accounts} />,
  };
}

/** The same with a cookie: after the act-as, the browser has Bob's cookie, before it has the answer. */
export function setupCookieAccounts() {
  const server = cookieAuthHandlers({ url, people });
  const articles = articleHandlers(server, { url, rows: ofBob });
  const answers = createGate();
  let acts = false;
  const self = { id: ada.id, name: ada.name };
  const handlers = [
    http.get(`${url}/whoami`, incoming => {
      const person = server.personOf(incoming);
      const user = person && server.userOf(person.id);
      return user ? HttpResponse.json(acts ? { ...user, actor: self } : user) : undefined;
    }),
    http.post(`${url}/act-as`, async incoming => {
      if (!server.personOf(incoming)) return new HttpResponse(null, { status: 401 });
      acts = true;
      server.signIn('bob');
      await answers.pass();
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete(`${url}/act-as`, () => {
      acts = false;
      server.signIn('ada');
      return new HttpResponse(null, { status: 204 });
    }),
  ];
  let accounts: AnyAccounts;
  return {
    server,
    articles,
    answers,
    cookies: [...server.cookieNames],
    start:
      (): StoryStart =>
      ({ msw }) => {
        forgetAccounts();
        acts = false;
        answers.reset();
        server.reset();
        articles.reset();
        accounts = createAccounts({
          session: () =>
            createCookieSession({
              tabs: false,
              whoami: new RestEndpoint({ urlPrefix: url, path: '/whoami', process: (value): User => value }),
              login: new RestEndpoint(login),
              logout,
            }),
        });
        server.signIn('ada');
        msw.use(...handlers, ...server.handlers, ...articles.handlers);
        return () => {
          server.reset();
          forgetAccounts();
        };
      },
    page: () => <Page accounts={accounts} />,
  };
}
