import { Controller, useCache, useController } from '@data-client/react';
import type { ReactElement, ReactNode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createStoreParts, IdentityStore } from '../../src/dataClient/IdentityStore.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import {
  ContextTokenProvider,
  CookieAuthProvider,
  createCookieSession,
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  type Session,
  TokenAuthProvider,
  useAuth,
} from '../../src/index.js';
import { NotifyRouters } from '../../src/providers/NotifyRouters.js';

const makeSession = () => createTokenSession({ login: async () => ({ accessToken: 'a-token' }) });

test('the controller of the app is the one of the store', () => {
  // data-client’s provider warns on a server.
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  class OwnController<D extends (action: any) => Promise<void>> extends Controller<D> {
    readonly label = 'the app’s own';
  }
  const Label = () => (useController() as OwnController<never>).label;
  const html = renderToStaticMarkup(
    <TokenAuthProvider session={makeSession()} Controller={OwnController}>
      <Label />
    </TokenAuthProvider>,
  );
  expect(html).toContain('the app’s own');
});

test('devButton and gcPolicy reach data-client’s provider', () => {
  const core = sessionCore(makeSession());
  const parts = createStoreParts(core, core.getStoreGenerationSignal());
  const gcPolicy = { createCountRef: () => () => () => {} } as never;
  const provider = IdentityStore({ parts, devButton: 'top-left', gcPolicy, children: null }) as ReactElement;
  expect(provider.props).toMatchObject({ devButton: 'top-left', gcPolicy });
});

describe('the record of the user', () => {
  class Team extends Entity {
    id = '';
    name = '';

    get motto() {
      return `${this.name} first`;
    }
  }

  class User extends Entity {
    id = '';
    name = '';
    team?: Team = undefined;

    static override schema = { team: Team };

    get greeting() {
      return `Hello ${this.name}`;
    }
  }

  const Users = hookifyResource(resource({ path: '/user/:id', schema: User }));

  /** What the session says of its user, and what any component finds in the store. */
  function Page() {
    const { status, user } = useAuth<Session<User>>();
    const stored = useCache(Users.useGet(), { id: 'ada' });
    const said = user ? `${user.greeting}, ${user.team?.motto ?? 'no team'}` : 'nobody';
    return (
      <p>
        {`${status}: ${said}; `}
        {`${stored === user ? 'the same' : 'another'} record in the store`}
      </p>
    );
  }

  // data-client advises against its CacheProvider on servers, and React against its defaultProps.
  beforeEach(() => {
    const silenced = (['warn', 'error'] as const).map(level => vi.spyOn(console, level).mockImplementation(() => {}));
    return () => silenced.forEach(spy => spy.mockRestore());
  });

  const ada = { id: 'ada', name: 'Ada', team: { id: '1', name: 'Engines' } };
  const ANSWERED = 'authenticated: Hello Ada, Engines first; the same record in the store';
  const never = () => new Promise<never>(() => {});
  const cookies = { login: never, whoami: never as () => Promise<typeof ada>, server: true, user: User };

  const textOf = (element: ReactNode) => /<p>(.*?)<\/p>/s.exec(renderToString(element).replace(/<!-- -->/g, ''))?.[1];

  test('the first render has the record in the store, with `initial` of the session or of the provider', () => {
    expect(
      textOf(
        <CookieAuthProvider session={createCookieSession({ ...cookies, initial: ada })}>
          <Page />
        </CookieAuthProvider>,
      ),
    ).toBe(ANSWERED);
    expect(
      textOf(
        <CookieAuthProvider session={createCookieSession(cookies)} initial={ada}>
          <Page />
        </CookieAuthProvider>,
      ),
    ).toBe(ANSWERED);
  });

  test('where only the subject is known, the user is undefined and the store is empty', () => {
    expect(
      textOf(
        <ContextTokenProvider subject="ada" token="ada-1" user={User}>
          <Page />
        </ContextTokenProvider>,
      ),
    ).toBe('authenticated: nobody; the same record in the store');
  });

  test('while no user is signed in, there is no user', () => {
    expect(
      textOf(
        <CookieAuthProvider session={createCookieSession({ ...cookies, initial: null })}>
          <Page />
        </CookieAuthProvider>,
      ),
    ).toBe('anonymous: nobody; the same record in the store');
  });
});

test('a server renders without a window and without a complaint', () => {
  const complaints = vi.spyOn(console, 'error');
  const session = createTokenSession({ login: async () => ({ accessToken: 'ada-1' }) });
  expect(renderToString(<NotifyRouters session={sessionCore(session)} />)).toBe('');
  expect(complaints).not.toHaveBeenCalled();
  complaints.mockRestore();
});
