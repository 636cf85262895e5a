import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { resourceHandlers, type MockPerson, type RequestLine } from '../../../src/testing/index.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { csrf, ownApi } from '../../support/setupCookieApp.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';
import { inCases } from '../../support/inCases.js';
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
} from '../../../src/index.js';
import { ResourceForm, ResourceList } from '../../../src/entries/widgets.js';
import { AuthStatus } from '../../support/ArticlesDemo.js';
import { ada, grace } from '../../support/articles.js';
import { createCounter } from '../../support/RenderCounter.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import type { StoryStart } from '../../support/StoryStart.js';

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
function setupUserApp() {
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

const app = setupUserApp();
const { sent } = app;

/** The user of the session is a record of the store: it shows each change of that record, and no other change. */
const meta = {
  title: 'Proofs/The user',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
  beforeEach: app.start('ada'),
  render: () => app.page(),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = StoryContext['canvas'];

const readAs = (mechanism: Mechanism, path: string) => linesUnder[mechanism].read(sent.get(path), 'ada');
const writeAs = (mechanism: Mechanism, line: RequestLine) => linesUnder[mechanism].write(line, 'ada');
/** The request that describes the user once more. */
const asked = (mechanism: Mechanism) => (mechanism === 'cookie' ? sent.get('/whoami') : readAs(mechanism, '/me'));

const press = (canvas: Canvas, name: string) => userEvent.click(canvas.getByRole('button', { name }));
const header = (text: string) => waitFor(() => expect(document.getElementById('header')).toHaveTextContent(text));

/** Waits until header and list show Ada, and starts to count. */
async function untilShown(canvas: Canvas) {
  await canvas.findByText('Grace Murray');
  await header('Ada (Ada Byron)');
  app.startCounting();
}

/** Under each mechanism, a form changes the user's own name: header and row change in one commit. */
function renames(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    play: async ({ canvas, step, hasSent }) => {
      await step('Ada sees her name in the header and in the list', () => untilShown(canvas));
      await step('she changes it in a form', async () => {
        await userEvent.clear(canvas.getByLabelText('Name'));
        await userEvent.type(canvas.getByLabelText('Name'), 'Ada King');
        await press(canvas, 'Save');
        await header('Ada (Ada King)');
      });
      await step('header and row have changed in one commit, by one render of the header', async () => {
        await expect(app.commits().at(-1)).toBe('header: Ada (Ada King), row: Ada King');
        await expect(app.commits().filter(commit => commit.includes('King'))).toHaveLength(1);
        await expect(app.renders.read()).toBe(1);
      });
      await hasSent('one PATCH, and no other request', [
        ...linesUnder[mechanism].restores,
        readAs(mechanism, '/user'),
        writeAs(mechanism, sent.patch('/user/ada')).json({ name: 'Ada King' }),
      ]);
    },
  };
}

/** A form changes the user’s own name: header and row change in one commit. */
export const Renamed: Story = inCases({
  'with the answer of the login': renames('token'),
  'with the answer of `whoami`': renames('cookie'),
  'the SDK knows the subject alone: the list brings the record': renames('context'),
});

/** The header shows an optimistic name at once, and the old one again when the server refuses it. */
export const RefusedRename: Story = {
  globals: { mechanism: 'token' },
  render: () => app.page(true),
  play: async ({ canvas, step, hasSent }) => {
    await untilShown(canvas);
    const release = app.users.hold();
    await step('she empties her name, and the page shows that before the server answers', async () => {
      await press(canvas, 'Empty the name of ada');
      await waitFor(() => expect(app.commits()).toEqual(['header:  (), row: ']));
      await waitFor(() => expect(app.users.held).toBe(1));
    });
    await step('the server refuses: the old name is back in both places, in one commit', async () => {
      release();
      await header('Ada (Ada Byron)');
      await expect(app.commits()).toEqual(['header:  (), row: ', 'header: Ada (Ada Byron), row: Ada Byron']);
      await expect(app.renders.read()).toBe(2);
    });
    await hasSent('one PATCH', [sent.get('/user').as('ada'), sent.patch('/user/ada').as('ada').json({ name: '' })]);
  },
};

/** Another user's record of the same class changes: the header does not render. */
export const AnotherUsersRecord: Story = {
  globals: { mechanism: 'token' },
  play: async ({ canvas, step, hasSent }) => {
    await untilShown(canvas);
    await step('Grace’s record is renamed', async () => {
      await press(canvas, 'Rename grace');
      await within(canvas.getByRole('list')).findByText('Renamed');
    });
    await step('the header has not rendered', async () => {
      await expect(app.renders.read()).toBe(0);
      await expect(document.getElementById('header')).toHaveTextContent('Ada (Ada Byron)');
    });
    await hasSent('one PATCH', [
      sent.get('/user').as('ada'),
      sent.patch('/user/grace').as('ada').json({ name: 'Renamed' }),
    ]);
  },
};

/** The server has a new name for the user: two calls of `reload()` at once ask once, and nothing is mounted again. */
function reloads(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    play: async ({ canvas, step, hasSent }) => {
      await untilShown(canvas);
      await step('the server has a new name, and she loads herself again, twice', async () => {
        app.renameOnServer('ada', 'Ada Lovelace');
        await press(canvas, 'Load me again, twice');
        await header('Ada (Ada Lovelace)');
      });
      await step('one commit, one render of the header, and nothing was mounted', async () => {
        await expect(app.commits()).toEqual(['header: Ada (Ada Lovelace), row: Ada Lovelace']);
        await expect([app.renders.read(), app.mounts.read()]).toEqual([1, 0]);
      });
      await hasSent('one request', [...linesUnder[mechanism].restores, readAs(mechanism, '/user'), asked(mechanism)]);
    },
  };
}

/** “Reload” describes the user once more. */
export const Reloaded: Story = inCases({
  'by the option `profile`': reloads('token'),
  'by `whoami`': reloads('cookie'),
  'by the prop `profile`': reloads('context'),
});

/** The answer of a refresh has a new name. */
export const RefreshWithANewName: Story = {
  globals: { mechanism: 'token' },
  play: async ({ canvas, step, journal }) => {
    await untilShown(canvas);
    await step('her token has expired, and the refresh answers with a new name', async () => {
      app.renameOnServer('ada', 'Ada Lovelace');
      app.server.expire();
      await press(canvas, 'Rename grace');
      await header('Ada (Ada Lovelace)');
      await within(canvas.getByRole('list')).findByText('Renamed');
    });
    await step('one commit for the name, and one render of the header', async () => {
      await expect(app.commits()).toEqual(['header: Ada (Ada Lovelace), row: Ada Lovelace']);
      await expect(app.renders.read()).toBe(1);
    });
    await step('no request for the name alone', () => {
      const rename = sent.patch('/user/grace').json({ name: 'Renamed' });
      return expect(journal).toHaveSent([
        sent.get('/user').as('ada'),
        rename.as('ada'),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        rename.as('ada', 2),
      ]);
    });
  },
};

const graceSignsIn = sent.post('/login').json({ username: 'grace', password: 'hopper' });
/** Ada signs out, and Grace signs in. */
const toGrace: Record<Mechanism, RequestLine[]> = {
  token: [sent.post('/logout').as('ada'), graceSignsIn],
  cookie: [sent.post('/logout').headers(csrf(1)), sent.get('/csrf'), graceSignsIn.headers(csrf(2))],
  context: [],
};

/** Ada renames herself and signs out, and Grace signs in: the header begins with Grace, and Ada's record is in no commit of hers. */
function signsInAsGrace(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    play: async ({ canvas, step, hasSent }) => {
      await untilShown(canvas);
      await step('Ada renames herself, and signs out', async () => {
        await press(canvas, 'Rename ada');
        await header('Renamed (Renamed)');
        await press(canvas, 'Sign out');
        await canvas.findByText('Please sign in.');
      });
      await step('Grace signs in, and the header says her name from its first commit on', async () => {
        app.users.reset();
        app.startCounting();
        await press(canvas, 'Sign in as Grace Hopper');
        await canvas.findByText('Grace Murray');
        await header('Grace (Grace Murray)');
        const [first] = app.commits().filter(commit => !commit.startsWith('header: nothing'));
        await expect(first).toBe(
          mechanism === 'context' ? 'header: Unknown, row: nothing' : 'header: Grace (Grace Murray), row: nothing',
        );
        await expect(app.commits().join('; ')).not.toMatch(/header: (Ada|Renamed)|row: Renamed/);
      });
      await hasSent('Grace’s list goes with her credential', [
        ...linesUnder[mechanism].restores,
        readAs(mechanism, '/user'),
        writeAs(mechanism, sent.patch('/user/ada')).json({ name: 'Renamed' }),
        ...toGrace[mechanism],
        linesUnder[mechanism].read(sent.get('/user'), 'grace'),
      ]);
    },
  };
}

/** Grace signs in after Ada: she is described as herself. */
export const GraceAfterAda: Story = inCases({
  'with tokens': signsInAsGrace('token'),
  'with a cookie': signsInAsGrace('cookie'),
  'with an SDK: the user is undefined until the list has brought the record': signsInAsGrace('context'),
});
