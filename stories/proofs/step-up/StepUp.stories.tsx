import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { StrictMode } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Challenge, ResourceList } from '../../../src/index.js';
import { manyArticles } from '../../support/manyArticles.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { challenge, setupStepUp } from '../../support/setupStepUp.js';
import { setupWidgetApp, type Mechanism } from '../../support/setupWidgetApp.js';
import { withCredential } from '../../support/withCredential.js';

const app = setupWidgetApp({ rows: manyArticles(5).rows, challenge: challenge() });
const server = setupStepUp(() => app.auth);
const { sent } = app;

function Page() {
  return (
    <StrictMode>
      <app.Provider>
        <ResourceList
          resource={app.Articles}
          label="Articles"
          renderItem={({ title }, { remove }) => (
            <>
              {title}{' '}
              <button type="button" className="dca-button" onClick={() => void remove().catch(() => undefined)}>
                Delete {title}
              </button>
            </>
          )}
        />
        <Challenge>{() => 'You are about to delete articles.'}</Challenge>
      </app.Provider>
    </StrictMode>
  );
}

/** A server that wants the password again before a deletion: the requests wait, the user is asked once, and what waits is sent again. */
const meta = {
  title: 'Proofs/Step-up',
  tags: ['proof', '!autodocs'],
  component: Page,
  parameters: { ...requestsOnly, cookies: app.cookies },
  globals: { mechanism: 'token' },
  beforeEach: server.start(app.start('ada')),
} satisfies Meta<typeof Page>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = StoryContext['canvas'];

const IDS = ['1', '2', '3', '4', '5'];
const list = (mechanism: Mechanism) => [
  ...(mechanism === 'cookie' ? [sent.get('/whoami')] : []),
  withCredential[mechanism].read(sent.get('/article'), 'ada'),
];
const deletions = (mechanism: Mechanism = 'token') =>
  IDS.map(id => withCredential[mechanism].write(sent.delete(`/article/${id}`), 'ada'));
const answered = (password: string, mechanism: Mechanism = 'token') =>
  withCredential[mechanism].write(sent.post('/step-up'), 'ada').json({ password });

/** Presses all five buttons before the first answer comes. */
async function deleteFive(canvas: Canvas) {
  await canvas.findByText('Delete Article 5');
  for (const button of canvas.getAllByRole('button', { name: /^Delete/ })) button.click();
  return within(await canvas.findByRole('dialog', { name: 'Confirm that it is you' }));
}
const typePassword = async (dialog: Canvas, password: string) => {
  await userEvent.clear(dialog.getByLabelText('Password'));
  await userEvent.type(dialog.getByLabelText('Password'), password);
  await userEvent.click(dialog.getByRole('button', { name: 'Continue' }));
};
const untilClosed = (canvas: Canvas) => waitFor(() => expect(canvas.queryByRole('dialog')).not.toBeInTheDocument());

/** Under each mechanism: five deletions, one dialog. */
function deletesFive(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    play: async ({ canvas, step, journal }) => {
      const dialog = await deleteFive(canvas);
      await step('one dialog, with the focus in the password', async () => {
        await expect(canvas.getAllByRole('dialog')).toHaveLength(1);
        const password = dialog.getByLabelText('Password');
        await expect(password).toHaveFocus();
        await expect(password).toHaveAttribute('autocomplete', 'current-password');
        await expect(canvas.getByRole('dialog')).toHaveAccessibleDescription('You are about to delete articles.');
      });
      await step('Ada types it, and the rows go', async () => {
        await typePassword(dialog, 'lovelace');
        await untilClosed(canvas);
        await waitFor(() => expect(canvas.queryByText(/^Article/)).not.toBeInTheDocument());
      });
      await step('5 + 1 + 5 requests', () =>
        expect(journal).toHaveSent([
          ...list(mechanism),
          ...deletions(mechanism),
          answered('lovelace', mechanism),
          ...deletions(mechanism),
        ]),
      );
    },
  };
}

export const UnderTokenAuthProvider = deletesFive('token');

export const UnderCookieAuthProvider = deletesFive('cookie');

/** The SDK's token; the app's own `answer` asks the user. */
export const UnderContextTokenProvider = deletesFive('context');

/** Escape: five rows stay, the user stays signed in, and the focus is back. */
export const Cancelled: Story = {
  play: async ({ canvas, step, journal }) => {
    const last = await canvas.findByRole('button', { name: 'Delete Article 5' });
    last.focus();
    await deleteFive(canvas);
    await step('Ada presses Escape, by which the browser closes the dialog', async () => {
      canvas.getByRole<HTMLDialogElement>('dialog').close();
      await untilClosed(canvas);
    });
    await step('five rows, each with a text, and the focus where it was', async () => {
      await waitFor(() => expect(canvas.getAllByText('This was called off. Try again.')).toHaveLength(5));
      await expect(canvas.getAllByRole('button', { name: /^Delete/ })).toHaveLength(5);
      await expect(last).toHaveFocus();
    });
    await step('5 + 0 + 0 requests, and Ada is signed in', async () => {
      await expect(journal).toHaveSent([...list('token'), ...deletions()]);
      await expect(app.session.getSnapshot().status).toBe('authenticated');
    });
  },
};

/** A wrong password keeps the dialog; reads go on; then the right one. */
export const WrongPassword: Story = {
  play: async ({ canvas, step, journal }) => {
    const dialog = await deleteFive(canvas);
    await step('Ada mistypes it, and the dialog says so', async () => {
      await typePassword(dialog, 'byron');
      await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('The password is wrong.'));
      await expect(dialog.getByLabelText('Password')).toHaveAccessibleDescription('The password is wrong.');
    });
    await step('a read is answered while the dialog is open', async () => {
      await expect((await app.session.fetch('/api/article')).status).toBe(200);
    });
    await step('the right one', async () => {
      await typePassword(dialog, 'lovelace');
      await untilClosed(canvas);
    });
    await step('nothing was sent again before it', async () => {
      await waitFor(() => expect(canvas.queryByText(/^Article/)).not.toBeInTheDocument());
      await expect(journal).toHaveSent([
        ...list('token'),
        ...deletions(),
        answered('byron'),
        sent.get('/article').as('ada'),
        answered('lovelace'),
        ...deletions(),
      ]);
    });
  },
};

/** Grace signs in while the dialog is open: it goes, and nothing of Ada's is sent. */
export const UserSwitch: Story = {
  play: async ({ canvas, step, journal }) => {
    await deleteFive(canvas);
    await step('Grace signs in', async () => {
      await app.session.login({ username: 'grace', password: 'hopper' });
      await untilClosed(canvas);
    });
    await step('her list, and no deletion again', async () => {
      await waitFor(() => expect(journal.entries.at(-1)?.url).toContain('/article'));
      await expect(journal.entries.filter(({ method }) => method === 'DELETE')).toHaveLength(5);
      await expect(journal.entries.filter(({ url }) => url.endsWith('/step-up'))).toHaveLength(0);
    });
  },
};

/** The server refuses again after the answer: the error of each row, and no second dialog. */
export const RefusedAgain: Story = {
  play: async ({ canvas, step, journal }) => {
    server.neverOpen();
    const dialog = await deleteFive(canvas);
    await typePassword(dialog, 'lovelace');
    await step('five errors and no dialog', async () => {
      await waitFor(() => expect(canvas.getAllByText('Sign in to continue.')).toHaveLength(5));
      await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument();
    });
    await step('5 + 1 + 5 requests, and Ada is signed in', async () => {
      await expect(journal).toHaveSent([...list('token'), ...deletions(), answered('lovelace'), ...deletions()]);
      await expect(app.session.getSnapshot().status).toBe('authenticated');
    });
  },
};

/** A scope is missing: there is nothing to type. */
export const MissingScope: Story = {
  play: async ({ canvas, step, journal }) => {
    server.wantScope();
    const dialog = await deleteFive(canvas);
    await step('one button has the focus', async () => {
      await expect(dialog.queryByRole('textbox')).not.toBeInTheDocument();
      await expect(dialog.getByRole('button', { name: 'Continue' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await untilClosed(canvas);
    });
    await waitFor(() => expect(canvas.queryByText(/^Article/)).not.toBeInTheDocument());
    await expect(journal).toHaveSent([
      ...list('token'),
      ...deletions(),
      sent.post('/step-up').as('ada').json({}),
      ...deletions(),
    ]);
  },
};

/** On a phone, from right to left: the dialog fits, and is checked for accessibility while it is open. */
export const OnAPhone: Story = {
  parameters: { a11y: { test: 'error' } },
  decorators: [
    Story => (
      <div dir="rtl" style={{ inlineSize: '360px' }}>
        <Story />
      </div>
    ),
  ],
  play: async ({ canvas, journal }) => {
    await deleteFive(canvas);
    const { width } = canvas.getByRole('dialog').getBoundingClientRect();
    await expect(width).toBeLessThanOrEqual(448);
    await expect(canvas.getByRole('dialog')).toHaveStyle({ direction: 'rtl' });
    await expect(journal).toHaveSent([...list('token'), ...deletions()]);
  },
};
