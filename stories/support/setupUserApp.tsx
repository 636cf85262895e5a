import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import {
  Authenticated,
  Entity,
  hookifyResource,
  resource,
  RestEndpoint,
  useAuth,
  type Session,
} from '../../src/index.js';
import { ResourceForm, ResourceList } from '../../src/entries/widgets.js';
import { resourceHandlers, type MockPerson } from '../../src/testing/index.js';
import { AuthStatus } from './ArticlesDemo.js';
import { ada, grace } from './articles.js';
import { createCounter } from './RenderCounter.js';
import { ownApi } from './setupCookieApp.js';
import { setupWidgetApp } from './setupWidgetApp.js';
import type { StoryStart } from './StoryStart.js';

class User extends Entity {
  id = '';
  name = '';

  get firstName() {
    return this.name.split(' ')[0] ?? '';
  }
}

const people: (MockPerson & { name: string })[] = [
  { ...ada, name: 'Ada Byron' },
  { ...grace, name: 'Grace Murray' },
];
const userResource = resource({ urlPrefix: ownApi, path: '/user/:id', schema: User });
const Users = hookifyResource(userResource);
const OptimisticUsers = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/user/:id', schema: User, optimistic: true }),
);

/** An app whose user is a record: a header with their name, a list of all users, and a form for the user's own name. */
export function setupUserApp() {
  const me = new RestEndpoint({ urlPrefix: ownApi, path: '/me' });
  const app = setupWidgetApp({ rows: [], user: User, profile: me, people });
  const users = resourceHandlers(
    userResource,
    people.map(({ id, name }) => ({ id, name })),
    { auth: app.auth, validate: ({ name }) => (name === '' ? { name: ['A name is needed.'] } : undefined) },
  );
  const renders = createCounter();
  const mounts = createCounter();
  /** The texts of the header and of Ada's row after each commit that changed them. */
  const commits: string[] = [];

  const read = () => {
    const textOf = (id: string) => document.getElementById(id)?.textContent ?? 'nothing';
    return `header: ${textOf('header')}, row: ${textOf('ada')}`;
  };
  // Runs in a microtask after each commit. React renders two changes of different priority in two tasks.
  const observer = new MutationObserver(() => {
    if (commits.at(-1) !== read()) commits.push(read());
  });

  /** Renders when the user changes. Calls the class's own getter. */
  function Header() {
    const { user, reload } = useAuth<Session<User>>();
    useState(mounts.add);
    renders.add();
    const twice = () => void Promise.all([reload(), reload()]);
    return (
      <header>
        <p id="header">{user instanceof User ? `${user.firstName} (${user.name})` : 'Unknown'}</p>
        <button type="button" onClick={twice}>
          Load me again, twice
        </button>
      </header>
    );
  }

  function Rows({ optimistic }: { optimistic: boolean }) {
    return (
      <ResourceList
        resource={optimistic ? OptimisticUsers : Users}
        label="Users"
        renderItem={(user, { partialUpdate }) => (
          <>
            <span id={user.id}>{user.name}</span>{' '}
            <button type="button" onClick={() => void partialUpdate({ name: '' }).catch(() => {})}>
              Empty the name of {user.id}
            </button>
            <button type="button" onClick={() => void partialUpdate({ name: 'Renamed' })}>
              Rename {user.id}
            </button>
          </>
        )}
      />
    );
  }

  /** Changes the user's own name. */
  function NameForm() {
    const { user } = useAuth<Session<User>>();
    if (!user) return null;
    const fields = [{ name: 'name', label: 'Name' } as const];
    return (
      <ResourceForm resource={Users} action="partialUpdate" params={{ id: user.id }} initial={user} fields={fields} />
    );
  }

  function Page({ optimistic }: { optimistic: boolean }) {
    return (
      <>
        <AuthStatus />
        <Authenticated fallback={<p>Please sign in.</p>}>
          <Header />
          <Rows optimistic={optimistic} />
          <NameForm />
        </Authenticated>
      </>
    );
  }

  return {
    ...app,
    users,
    renders,
    /** The two texts after each commit that changed one of them. */
    commits: () => commits.slice(1),
    /** Sets the counts to zero, and starts to record commits. */
    startCounting() {
      renders.reset();
      mounts.reset();
      commits.splice(0, Infinity, read());
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    },
    mounts,
    /** Changes the user's name on the server only. */
    renameOnServer(id: string, name: string) {
      for (const person of people) if (person.id === id) person.name = name;
    },
    page: (optimistic = false) => (
      <app.Provider>
        <app.SignInButtons />
        <Page optimistic={optimistic} />
      </app.Provider>
    ),
    start:
      (personId?: string): StoryStart =>
      context => {
        if (context.auth.isRerender) return;
        people.forEach((person, index) => (person.name = ['Ada Byron', 'Grace Murray'][index]!));
        observer.disconnect();
        const stop = app.start(personId)(context);
        users.reset();
        context.msw.use(
          http.get(`${ownApi}/me`, incoming => {
            const person = app.auth.personOf(incoming);
            const { id, name } = person ?? {};
            return app.auth.authorize(incoming) ?? HttpResponse.json({ id, name });
          }),
          ...users.handlers,
        );
        return stop;
      },
  };
}
