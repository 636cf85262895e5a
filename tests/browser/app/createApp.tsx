import { useController, type Controller } from '@data-client/react';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import {
  Authenticated,
  Collection,
  ContextTokenProvider,
  CookieAuthProvider,
  createCookieSession,
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  RestEndpoint,
  TokenAuthProvider,
  useAuth,
  type HookResource,
  type Session,
} from '../../../src/index.js';
import { lock } from '../../../src/entries/lock.js';
import { LoginForm, nextLink, PaginatedList, ResourceList, type FormField } from '../../../src/entries/widgets.js';
import { accountsApp } from './accountsApp.js';
import { EditForms } from './EditForms.js';
import { InFrame, InShadowRoot } from './InFrame.js';
import { Mistakes } from './Mistakes.js';
import { PartialRecords } from './PartialRecords.js';
import { UploadForms } from './UploadForms.js';

class Article extends Entity {
  id = '';
  title = '';
  author = '';
}

interface User {
  id: string;
}

export interface App {
  element: ReactNode;
  /** Undefined where the provider makes its own. */
  session: Session<any, any> | undefined;
  /** The normalized state of the store that is mounted now. */
  state: () => unknown;
  /** What the screen that is mounted now can call. */
  screen: Screenful | undefined;
  /** The state of each `popstate` that a router of the tree has got. */
  popstates: unknown[];
  /** How often the line that says who is signed in was rendered, and each row of the list. */
  renders: number;
}

/** What a handler captures of a screen. */
export interface Screenful {
  controller: Controller;
  get: ReturnType<Articles['useGet']>;
  getList: ReturnType<Articles['useGetList']>;
  partialUpdate: ReturnType<Articles['usePartialUpdate']>;
}

const BURST = 10;

function articlesOf(urlPrefix: string) {
  return resource({ urlPrefix, path: '/article/:id', schema: Article, paginationField: 'page' });
}

type Articles = HookResource<ReturnType<typeof articlesOf>>;

/** Who is signed in, in one line: status, reason, person. */
function AuthStatus({ app }: { app: App }) {
  const { status, reason, user } = useAuth<Session<User>>();
  app.renders++;
  return (
    <p id="who">
      {[status, reason, user?.id ?? (user as { subject?: string } | undefined)?.subject].filter(Boolean).join(' ')}
    </p>
  );
}

function SignInButtons() {
  const { login, logout } = useAuth();
  return (
    <p>
      {['ada', 'grace'].map(username => (
        <button key={username} type="button" onClick={() => void login({ username })}>
          Sign in as {username}
        </button>
      ))}
      <button type="button" onClick={() => void logout()}>
        Sign out
      </button>
    </p>
  );
}

/** Ten requests of ten keys, in the same millisecond, past the store or through it; says when all of them have settled. */
function Burst({ articles }: { articles: Articles }) {
  const controller = useController();
  const get = articles.useGet();
  const [outcome, setOutcome] = useState('');
  const fire = async (send: (params: { id: string }) => Promise<unknown> = get) => {
    setOutcome('waiting');
    const results = await Promise.allSettled(Array.from({ length: BURST }, (_, index) => send({ id: `${index + 1}` })));
    const answered = results.filter(({ status }) => status === 'fulfilled').length;
    setOutcome(`${answered} answered, ${BURST - answered} failed`);
  };
  return (
    <p>
      <button type="button" onClick={() => void fire()}>
        Fire
      </button>
      <button type="button" onClick={() => void fire(params => controller.fetch(get, params))}>
        Ask the store
      </button>
      <output id="outcome">{outcome}</output>
    </p>
  );
}

/** Hands the store's state out, for a test to look for what must not be in it, and what a handler of this screen would capture. */
function StateOf({ app, articles }: { app: App; articles: Articles }) {
  const controller = useController();
  app.state = () => controller.getState();
  app.screen = {
    controller,
    get: articles.useGet(),
    getList: articles.useGetList(),
    partialUpdate: articles.usePartialUpdate(),
  };
  return null;
}

/** Listens as a router does. */
function Router({ app }: { app: App }) {
  useEffect(() => {
    const note = ({ state }: PopStateEvent) => void app.popstates.push(state);
    window.addEventListener('popstate', note);
    return () => window.removeEventListener('popstate', note);
  }, [app]);
  return null;
}

/** The list of a server whose answer holds the address of the next page. */
function LinkedList({ urlPrefix, next }: { urlPrefix: string; next: string }) {
  const [linked] = useState(() => {
    const base = resource({ urlPrefix, path: '/article/:id', schema: Article, paginationField: 'page' });
    return hookifyResource(base.extend('getList', { schema: { results: new Collection([Article]), next: '' } }));
  });
  return (
    <PaginatedList
      resource={linked}
      params={{ next }}
      next={nextLink()}
      renderItem={(row: Article) => row.title}
      label="Articles"
    />
  );
}

const RED_AND_BLUE = ['red', 'blue'].map(value => ({ value, label: value }));

/** One field of each kind that is no text. */
const CHOICES: FormField[] = [
  {
    name: 'username',
    label: 'Name',
    type: 'select',
    options: ['ada', 'grace'].map(value => ({ value, label: value })),
  },
  { name: 'colours', label: 'Colours', type: 'select', multiple: true, options: RED_AND_BLUE },
  { name: 'colour', label: 'Colour', type: 'radio', options: RED_AND_BLUE },
  { name: 'lines', label: 'Lines', type: 'list' },
  { name: 'agreed', label: 'Agreed', type: 'checkbox' },
];

/** An app as a user writes it: the status, a login form, a burst of requests, and a list for signed-in users. */
function Screen({ app, search }: { app: App; search: URLSearchParams }) {
  const urlPrefix = search.get('api') ?? '';
  const next = search.get('next');
  const [articles] = useState(() => hookifyResource(articlesOf(urlPrefix)));
  const renderRow = (row: Article) => {
    app.renders++;
    return row.title;
  };
  return (
    <>
      <StateOf app={app} articles={articles} />
      <Router app={app} />
      <AuthStatus app={app} />
      <SignInButtons />
      <Burst articles={articles} />
      <Authenticated
        fallback={
          search.has('form') ? (
            <LoginForm
              remember={search.get('form') === 'remember'}
              fields={search.get('form') === 'choices' ? CHOICES : undefined}
            />
          ) : (
            <p>Nobody is signed in.</p>
          )
        }
        loading={<p>One moment…</p>}
      >
        {search.has('partial') && <PartialRecords urlPrefix={urlPrefix} from={search.get('partial') ?? ''} />}
        {search.has('mistakes') && <Mistakes urlPrefix={urlPrefix} />}
        {search.has('edit') && <EditForms urlPrefix={urlPrefix} setup={search.get('edit') ?? ''} />}
        {search.has('upload') && <UploadForms urlPrefix={urlPrefix} />}
        {next === null ? (
          <ResourceList resource={articles} renderItem={renderRow} label="Articles" />
        ) : (
          <LinkedList urlPrefix={urlPrefix} next={next} />
        )}
      </Authenticated>
    </>
  );
}

/** Loaded on demand: the other tests need no router, and no list of each kind. */
const RoutedList = lazy(() => import('./RoutedList.js'));
const ChangingList = lazy(() => import('./ChangingList.js'));
const PagedRows = lazy(() => import('./PagedRows.js'));
const LongList = lazy(() => import('./LongList.js'));
const FilesScreen = lazy(() => import('./FilesScreen.js'));

type Login = [{ username: string }];

export function tokenSession(
  search: URLSearchParams,
  { storageKey: key, ...options }: { trustedOrigins?: string[]; timeout?: number; storageKey?: string | undefined },
) {
  const urlPrefix = search.get('api') ?? '';
  const name = search.get('tabs') ?? undefined;
  const shared = name === 'off' ? { key, tabs: false } : { key: key ?? name };
  const header = search.get('header');
  return createTokenSession<Login, { accessToken: string; refreshToken: string; user: User }>({
    login: new RestEndpoint({ urlPrefix, path: '/token/login', method: 'POST' }) as never,
    refresh: new RestEndpoint({ urlPrefix, path: '/token/refresh', method: 'POST' }) as never,
    logout: new RestEndpoint({ urlPrefix, path: '/token/logout', method: 'POST', body: undefined }) as never,
    storage:
      search.get('form') === 'remember'
        ? { remembered: 'local', otherwise: 'session', ...shared }
        : { in: (search.get('storage') ?? 'local') as 'memory' | 'session' | 'local', ...shared },
    ...(search.has('restore') && { restore: new RestEndpoint({ urlPrefix, path: '/restore' }) as never }),
    ...(header !== null && { header }),
    ...options,
  });
}

function cookieSession(search: URLSearchParams, options: { trustedOrigins?: string[]; timeout?: number }) {
  const urlPrefix = search.get('api') ?? '';
  const tabs = search.get('tabs');
  const verified = search.get('verify');
  return createCookieSession<Login, User>({
    login: new RestEndpoint({ urlPrefix, path: '/cookie/login', method: 'POST' }) as never,
    logout: new RestEndpoint({ urlPrefix, path: '/cookie/logout', method: 'POST', body: undefined }) as never,
    whoami: new RestEndpoint({ urlPrefix, path: '/cookie/whoami' }) as never,
    ...(search.get('csrf') !== 'off' && {
      csrf: {
        cookie: 'csrftoken',
        header: 'X-CSRFToken',
        ...(search.has('csrf') && { fetch: new RestEndpoint({ urlPrefix, path: '/cookie/csrf' }) as never }),
      },
    }),
    ...(search.get('credentials') === 'include' && { credentials: 'include' }),
    ...(tabs !== null && { tabs: tabs !== 'off' && tabs }),
    ...(verified !== null && { verifyResponse: ({ headers }) => headers.get(verified) ?? undefined }),
    ...options,
  });
}

/**
 * The app that the search params ask for: `session` is token, cookie or context, `tabs=off` tells other tabs nothing, another `tabs` is the name, `form` signs in with the
 * kit's form (`form=remember`: which chooses the storage), `upload` shows forms with a file, `edit` a form for a task beside a list, `partial` a
 * list whose rows open a record, `accounts` has several accounts, `verify` names the header in which each answer names its user, `router` shows a list and a detail page below a
 * router, `lock` locks the session when it expires, `list` a list that changes between its pages, `rows` rows in pages that come late, `long` a list of many rows, `files` images, downloads and uploads. `inFrame` renders it into an
 * `<iframe>`, of which the `window` or an `element` scrolls; `inShadowRoot` into a shadow root. A fresh session at each call.
 */
export function createApp(search: URLSearchParams): App {
  const origins = search.getAll('origin');
  const timeout = search.get('timeout');
  const options = {
    ...(origins.length > 0 && { trustedOrigins: origins }),
    ...(timeout !== null && { timeout: Number(timeout) }),
  };
  const app: App = {
    element: null,
    session: undefined,
    state: () => undefined,
    screen: undefined,
    popstates: [],
    renders: 0,
  };
  const onDemand = { router: RoutedList, list: ChangingList, rows: PagedRows, long: LongList, files: FilesScreen };
  const [, OnDemand] = Object.entries(onDemand).find(([param]) => search.has(param)) ?? [];
  const inFrame = search.get('inFrame');
  const page = OnDemand ? (
    <Suspense>
      <OnDemand search={search} />
    </Suspense>
  ) : (
    <Screen app={app} search={search} />
  );
  const inDocument = inFrame === null ? page : <InFrame scrolls={inFrame === 'element'}>{page}</InFrame>;
  const screen = search.has('inShadowRoot') ? <InShadowRoot>{page}</InShadowRoot> : inDocument;
  const kind = search.get('session') === 'cookie' ? 'cookie' : 'token';
  if (search.has('accounts')) {
    const make = ({ storageKey }: { storageKey: string }) =>
      kind === 'cookie' ? cookieSession(search, options) : tokenSession(search, { ...options, storageKey });
    accountsApp(app, kind, make, screen);
    return app;
  }
  switch (search.get('session')) {
    case 'cookie':
      app.session = cookieSession(search, options);
      app.element = <CookieAuthProvider session={app.session}>{screen}</CookieAuthProvider>;
      break;
    case 'context':
      app.element = (
        <ContextTokenProvider
          subject={search.get('subject')}
          token={search.get('token')}
          onExpiry={search.has('lock') ? lock() : undefined}
        >
          {screen}
        </ContextTokenProvider>
      );
      break;
    default:
      app.session = tokenSession(search, options);
      app.element = <TokenAuthProvider session={app.session}>{screen}</TokenAuthProvider>;
  }
  return app;
}
