import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { StrictMode, useEffect } from 'react';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated, useAuth } from '../../../src/index.js';
import { lock } from '../../../src/entries/lock.js';
import { ada, api, grace } from '../../support/articles.js';
import { useMockSdk } from '../../support/MockSdk.js';
import { recordText } from '../../support/recordText.js';
import { setupContextApp } from '../../support/setupContextApp.js';

const app = setupContextApp();
const onExpiry = lock();
let unmounts = 0;

function Titles() {
  return useSuspense(app.Articles.useGetList()).map(({ id, title }) => <li key={id}>{title}</li>);
}

function Workplace() {
  const controller = useController();
  const partialUpdate = app.Articles.usePartialUpdate();
  useEffect(() => () => void unmounts++, []);
  return (
    <>
      <label>
        Note <input />
      </label>{' '}
      <button
        type="button"
        onClick={() => void controller.fetch(partialUpdate, { id: '1' }, { title: 'Renamed' }).catch(() => undefined)}
      >
        Rename
      </button>
      <ul>
        <AsyncBoundary fallback={null}>
          <Titles />
        </AsyncBoundary>
      </ul>
    </>
  );
}

/** The window of the SDK signs a user in, and the app tells the session. */
function SdkSignIn() {
  const sdk = useMockSdk();
  const { login } = useAuth();
  return [ada, grace].map(person => (
    <button
      key={person.id}
      type="button"
      onClick={() => {
        app.sdk.fail(undefined);
        sdk.loginAs(person);
        if (person.id === sdk.user?.sub) void login();
      }}
    >
      Sign in as {person.name}
    </button>
  ));
}

const Page = () => (
  <app.Provider onExpiry={onExpiry}>
    <Authenticated fallback={<SdkSignIn />} locked={<SdkSignIn />}>
      <Workplace />
    </Authenticated>
  </app.Provider>
);

/** The SDK has no token any more, so the session expires. Its user signs in with the SDK and continues; another user starts anew. */
const meta = {
  title: 'Proofs/Keep my place under an SDK',
  tags: ['proof', '!autodocs'],
  beforeEach: [app.start('ada'), () => void (unmounts = 0)],
  render: () => <Page />,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Play = Pick<StoryContext, 'canvas' | 'msw' | 'step' | 'journal'>;

const findLock = () => screen.findByRole('dialog', { name: /^Your session has ended/ });

/** The server refuses what Ada sends, and the SDK has no new token. Returns what is sent from then on. */
async function untilLocked({ canvas, msw, step, journal }: Play): Promise<() => string[]> {
  await step('Ada writes a note, and renames an article', async () => {
    await canvas.findByText('On signing in');
    await userEvent.type(canvas.getByLabelText('Note'), 'half a sen');
    msw.use(http.patch(`${api}/article/1`, () => HttpResponse.json({}, { status: 401 }), { once: true }));
    app.sdk.fail(Object.assign(new Error('Login required'), { error: 'login_required' }));
    await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
  });
  await step('her page is hidden, and the SDK was asked once', async () => {
    await findLock();
    await expect(canvas.getByText('On signing in')).not.toBeVisible();
    await expect(app.sdk.fresh.read()).toBe(1);
  });
  const before = journal.entries.length;
  return () => journal.entries.slice(before).map(({ method, url }) => `${method} ${new URL(url).pathname}`);
}

const signInAs = async ({ name }: typeof ada) =>
  userEvent.click(within(await findLock()).getByRole('button', { name: `Sign in as ${name}` }));

async function playAda(context: Play): Promise<void> {
  const { canvas, step } = context;
  const sent = await untilLocked(context);
  const before = unmounts;
  await step('Ada signs in with the SDK: her text is there, and the article has its new title', async () => {
    await signInAs(ada);
    await waitFor(() => expect(canvas.getByLabelText('Note')).toBeVisible());
    await expect(canvas.getByLabelText('Note')).toHaveValue('half a sen');
    await waitFor(() => expect(canvas.getByText('Renamed')).toBeVisible());
    await expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await expect(unmounts).toBe(before);
  });
  await step('the refused request once more, with one new token', async () => {
    await expect(sent()).toEqual(['PATCH /article/1']);
    await expect(app.sdk.fresh.read()).toBe(2);
  });
}

export const SameUser: Story = { play: playAda };

export const InStrictMode: Story = {
  play: playAda,
  render: () => (
    <StrictMode>
      <Page />
    </StrictMode>
  ),
};

/** Grace signs in with the SDK: nothing of Ada's is sent or shown. */
export const AnotherUser: Story = {
  play: async context => {
    const { canvas, step } = context;
    const sent = await untilLocked(context);
    const texts = recordText(document.body);
    await step('Grace signs in, and sees her own list', async () => {
      await signInAs(grace);
      await canvas.findByText('On finding the moth');
      texts.stop();
      await expect(canvas.getByLabelText('Note')).toHaveValue('');
      await expect(unmounts).toBe(1);
    });
    await step('no text of Ada is in the document from then on, and nothing of hers is sent', async () => {
      await expect(texts.since('On finding the moth').filter(text => text.includes('On signing in'))).toEqual([]);
      await expect(sent()).toEqual(['GET /article']);
    });
  },
};
