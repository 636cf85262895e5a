import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import type { RequestLine } from '../../../src/testing/index.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { csrf } from '../../support/setupCookieApp.js';
import { setupUserApp } from '../../support/setupUserApp.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';

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
    play: async ({ canvas, step, journal }) => {
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
      await step('one PATCH, and no other request', () =>
        expect(journal).toHaveSent([
          ...linesUnder[mechanism].restores,
          readAs(mechanism, '/user'),
          writeAs(mechanism, sent.patch('/user/ada')).json({ name: 'Ada King' }),
        ]),
      );
    },
  };
}

/** With the answer of the login. */
export const RenamedUnderTokenAuthProvider = renames('token');

/** With the answer of `whoami`. */
export const RenamedUnderCookieAuthProvider = renames('cookie');

/** The SDK knows the subject alone: the list brings the record. */
export const RenamedUnderContextTokenProvider = renames('context');

/** The header shows an optimistic name at once, and the old one again when the server refuses it. */
export const RefusedRename: Story = {
  globals: { mechanism: 'token' },
  render: () => app.page(true),
  play: async ({ canvas, step, journal }) => {
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
    await step('one PATCH', () =>
      expect(journal).toHaveSent([sent.get('/user').as('ada'), sent.patch('/user/ada').as('ada').json({ name: '' })]),
    );
  },
};

/** Another user's record of the same class changes: the header does not render. */
export const AnotherUsersRecord: Story = {
  globals: { mechanism: 'token' },
  play: async ({ canvas, step, journal }) => {
    await untilShown(canvas);
    await step('Grace’s record is renamed', async () => {
      await press(canvas, 'Rename grace');
      await within(canvas.getByRole('list')).findByText('Renamed');
    });
    await step('the header has not rendered', async () => {
      await expect(app.renders.read()).toBe(0);
      await expect(document.getElementById('header')).toHaveTextContent('Ada (Ada Byron)');
    });
    await step('one PATCH', () =>
      expect(journal).toHaveSent([
        sent.get('/user').as('ada'),
        sent.patch('/user/grace').as('ada').json({ name: 'Renamed' }),
      ]),
    );
  },
};

/** The server has a new name for the user: two calls of `reload()` at once ask once, and nothing is mounted again. */
function reloads(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    play: async ({ canvas, step, journal }) => {
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
      await step('one request', () =>
        expect(journal).toHaveSent([...linesUnder[mechanism].restores, readAs(mechanism, '/user'), asked(mechanism)]),
      );
    },
  };
}

/** By the option `profile`. */
export const ReloadedUnderTokenAuthProvider = reloads('token');

/** By `whoami`. */
export const ReloadedUnderCookieAuthProvider = reloads('cookie');

/** By the prop `profile`. */
export const ReloadedUnderContextTokenProvider = reloads('context');

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
    play: async ({ canvas, step, journal }) => {
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
      await step('Grace’s list goes with her credential', () =>
        expect(journal).toHaveSent([
          ...linesUnder[mechanism].restores,
          readAs(mechanism, '/user'),
          writeAs(mechanism, sent.patch('/user/ada')).json({ name: 'Renamed' }),
          ...toGrace[mechanism],
          linesUnder[mechanism].read(sent.get('/user'), 'grace'),
        ]),
      );
    },
  };
}

/** With tokens. */
export const GraceAfterAdaUnderTokenAuthProvider = signsInAsGrace('token');

/** With a cookie. */
export const GraceAfterAdaUnderCookieAuthProvider = signsInAsGrace('cookie');

/** With an SDK: the user is undefined until the list has brought the record. */
export const GraceAfterAdaUnderContextTokenProvider = signsInAsGrace('context');
