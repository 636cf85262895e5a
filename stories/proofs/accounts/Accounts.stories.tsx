import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { recordText } from '../../support/recordText.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { inTenant, sent, setupCookieAccounts, setupTokenAccounts } from '../../support/setupAccounts.js';

const keeping = setupTokenAccounts({ keep: 2 });
const app = setupTokenAccounts();
const cookie = setupCookieAccounts();

/** Several accounts with one shown, tenants, and acting as another user. The counts stand above the page. */
const meta = {
  title: 'Proofs/Accounts',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start(),
  render: () => app.page(),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = StoryContext['canvas'];

const press = async (canvas: Canvas, name: string) => userEvent.click(await canvas.findByRole('button', { name }));
const who = (canvas: Canvas, text: string) =>
  waitFor(() => expect(canvas.getByTestId('who').textContent).toBe(`Shown: ${text}`));

const ADA = 'On signing in';
const GRACE = 'A compiler for everyone';
const BOB = 'On the escape key';

async function signIn(canvas: Canvas, name: string, row: string) {
  await press(canvas, `Sign in as ${name}`);
  await canvas.findByText(row);
}

const logins = {
  ada: sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
  grace: sent.post('/login').json({ username: 'grace', password: 'hopper' }),
};

/** The texts of the app from now on, at each change of the page. */
const record = (canvas: Canvas) => recordText(canvas.getByRole('region', { name: 'App' }));

/** One sign-in in two tenants, with a header, and with the stores of both: back without a frame of waiting, then read again. */
export const TenantsThere: Story = {
  beforeEach: keeping.start(),
  render: () => keeping.page(),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, and looks at the tenant red', async () => {
      await signIn(canvas, 'Ada Lovelace', ADA);
      await press(canvas, 'Tenant red');
      await canvas.findByText('A row of red');
      await who(canvas, 'Ada Lovelace in red');
    });
    const texts = record(canvas);
    await step('under blue, no row of red is on the page at any moment', async () => {
      await press(canvas, 'Tenant blue');
      await canvas.findByText('A row of blue');
      texts.stop();
      await expect(texts.since('Shown: Ada Lovelace in blue').filter(text => text.includes('A row of red'))).toEqual(
        [],
      );
    });
    await step('back in red, its rows are there in the first commit, and are read again once', async () => {
      const back = record(canvas);
      await press(canvas, 'Tenant red');
      await who(canvas, 'Ada Lovelace in red');
      back.stop();
      const [firstOfRed] = back.since('Shown: Ada Lovelace in red');
      await expect(firstOfRed).toContain('A row of red');
      await expect(back.since('Shown: Ada Lovelace in red').filter(text => text.includes('A row of blue'))).toEqual([]);
    });
    await step('each request names its tenant', () =>
      waitFor(() =>
        expect(journal).toHaveSent(
          [
            logins.ada,
            sent.get('/article').as('ada'),
            sent.get('/article').as('ada').headers(inTenant('red')),
            sent.get('/article').as('ada').headers(inTenant('blue')),
            sent.get('/article').as('ada').headers(inTenant('red')),
          ],
          { headers: ['x-tenant'] },
        ),
      ),
    );
  },
};

/** Two accounts: a sign-out of one leaves what the other one has sent alone. */
export const SignOutOfOne: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Grace signs in, then Ada in a second account', async () => {
      await signIn(canvas, 'Grace Hopper', GRACE);
      await press(canvas, 'Add an account');
      await canvas.findByText('anonymous');
      await signIn(canvas, 'Ada Lovelace', ADA);
    });
    await step('a request of Grace’s is on its way while Ada is shown', async () => {
      await press(canvas, 'Show Grace Hopper');
      await canvas.findByText(GRACE);
      const release = app.articles.hold();
      await press(canvas, 'Rename the first');
      await release.reached;
      await press(canvas, 'Show Ada Lovelace');
      await who(canvas, 'Ada Lovelace');
      await press(canvas, 'Sign out');
      await who(canvas, 'Grace Hopper');
      release();
      await canvas.findByText('On knocking');
    });
    await step('Ada is signed out on the server, and Grace is not', async () => {
      await expect(app.server.counts.logouts).toBe(1);
      await expect(app.server.counts.unauthorized).toBe(0);
      await expect(canvas.queryByRole('button', { name: 'Show Ada Lovelace' })).not.toBeInTheDocument();
    });
    await step('nothing was sent as another user', () =>
      expect(journal).toHaveSent([
        logins.grace,
        sent.get('/article').as('grace'),
        logins.ada,
        sent.get('/article').as('ada'),
        sent.get('/article').as('grace'),
        sent.patch('/article/3').as('grace').json({ title: 'On knocking' }),
        sent.get('/article').as('ada'),
        sent.post('/logout').as('ada'),
        sent.get('/article').as('grace'),
      ]),
    );
  },
};

/** Ada acts as Bob, and goes back without a password while a change of Bob's is on its way. */
export const ActingAndBack: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada acts as Bob', async () => {
      await signIn(canvas, 'Ada Lovelace', ADA);
      await press(canvas, 'Act as Bob');
      await canvas.findByText(BOB);
      await who(canvas, 'Bob Bemer by Ada Lovelace');
    });
    await step('she stops while a PATCH of Bob’s is on its way: it rejects', async () => {
      const release = app.articles.hold();
      await press(canvas, 'Rename as the user of now');
      await release.reached;
      await press(canvas, 'Stop acting');
      await waitFor(() => expect(canvas.getByText('AbortError')).toBeInTheDocument());
      release();
      await canvas.findByText(ADA);
      await who(canvas, 'Ada Lovelace');
    });
    await step('no request of one went with the token of the other, and no password was asked for', () =>
      expect(journal).toHaveSent(
        [
          logins.ada,
          sent.get('/article').as('ada'),
          sent.post('/act-as').as('ada').json({ user: 'bob' }),
          sent.get('/article').as('bob'),
          sent.patch('/article/5').as('bob').json({ title: 'On writing' }),
          sent.get('/article').as('ada'),
          sent.post('/logout').as('bob'),
        ],
        { anyOrder: true },
      ),
    );
  },
};

/** Who signs out leaves nobody signed in: the actor is signed out, too. */
export const SignOutWhileActing: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada acts as Bob, and signs out', async () => {
      await signIn(canvas, 'Ada Lovelace', ADA);
      await press(canvas, 'Act as Bob');
      await canvas.findByText(BOB);
      await press(canvas, 'Sign out');
      await canvas.findByText('anonymous: signed-out');
      await who(canvas, 'nobody');
    });
    await step('both sessions are ended on the server', async () => {
      await waitFor(() => expect(app.server.counts.logouts).toBe(2));
      await expect(canvas.queryByText(ADA)).not.toBeInTheDocument();
      await expect(journal).toHaveSent(
        [
          logins.ada,
          sent.get('/article').as('ada'),
          sent.post('/act-as').as('ada').json({ user: 'bob' }),
          sent.get('/article').as('bob'),
          sent.post('/logout').as('bob'),
          sent.post('/logout').as('ada'),
        ],
        { anyOrder: true },
      );
    });
  },
};

/** The browser has Bob's cookie before the answer is there: until then nothing is sent, and no row of Bob's is shown as Ada's. */
export const ActingWithACookie: Story = {
  parameters: { cookies: cookie.cookies },
  beforeEach: cookie.start(),
  render: () => cookie.page(),
  play: async ({ canvas, step, journal }) => {
    await step('the server has set Bob’s cookie, and its answer is on its way', async () => {
      await canvas.findByText(ADA);
      const release = cookie.answers.hold();
      const texts = record(canvas);
      await press(canvas, 'Act as Bob');
      await release.reached;
      await press(canvas, 'Rename as the user of now');
      await press(canvas, 'More');
      await who(canvas, 'Ada Lovelace');
      release();
      await canvas.findByText(BOB);
      texts.stop();
      await expect(
        texts.since('Ada').filter(text => text.includes(BOB) && !text.includes('Shown: Bob Bemer by')),
      ).toEqual([]);
    });
    await step('what Ada asked for meanwhile was not sent as Bob', async () => {
      await canvas.findByText('AbortError');
      await who(canvas, 'Bob Bemer by Ada Lovelace');
    });
    await step('she goes back without a password', async () => {
      await press(canvas, 'Stop acting');
      await canvas.findByText(ADA);
      await who(canvas, 'Ada Lovelace');
      await expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.post('/act-as').json({ user: 'bob' }),
        sent.get('/whoami'),
        sent.get('/article'),
        sent.delete('/act-as'),
        sent.get('/whoami'),
        sent.get('/article'),
      ]);
    });
  },
};
