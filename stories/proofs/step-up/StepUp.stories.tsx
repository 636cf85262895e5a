import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { StrictMode } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Challenge, type AuthChallenge, type StepUpOptions } from '../../../src/entries/step-up.js';
import { ResourceList, type FormField } from '../../../src/entries/widgets.js';
import { manyArticles } from '../../support/manyArticles.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { challenge, setupStepUp } from '../../support/setupStepUp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';
import { inCases } from '../../support/inCases.js';

/** Besides the standards: a server that answers 403 with a code in JSON. */
const readChallenge: StepUpOptions['readChallenge'] = async response => {
  if (response.status !== 403) return undefined;
  const { code } = (await response.json()) as { code?: string };
  return code === 'mfa_required' ? { kind: code } : undefined;
};

const app = setupWidgetApp({ rows: manyArticles(5).rows, extensions: [challenge({ readChallenge })] });
const server = setupStepUp(() => app.auth);
const { sent } = app;

/** What the dialog asks for each kind. */
function fieldsFor({ kind }: AuthChallenge): readonly FormField[] | undefined {
  return kind === 'mfa_required'
    ? [{ name: 'code', label: 'Code', autoComplete: 'one-time-code', required: true }]
    : undefined;
}

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
        <Challenge fields={fieldsFor}>{() => 'You are about to delete articles.'}</Challenge>
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
  ...linesUnder[mechanism].restores,
  linesUnder[mechanism].read(sent.get('/article'), 'ada'),
];
const deletions = (mechanism: Mechanism = 'token') =>
  IDS.map(id => linesUnder[mechanism].write(sent.delete(`/article/${id}`), 'ada'));
const answered = (password: string, mechanism: Mechanism = 'token') =>
  linesUnder[mechanism].write(sent.post('/step-up'), 'ada').json({ password });

/** Presses all five buttons before the first answer comes, and waits for all five refusals. */
async function deleteFive(canvas: Canvas, journal: StoryContext['journal']) {
  await canvas.findByText('Delete Article 5');
  for (const button of canvas.getAllByRole('button', { name: /^Delete/ })) button.click();
  const refused = () => journal.entries.filter(({ method, status }) => method === 'DELETE' && status !== undefined);
  await waitFor(() => expect(refused()).toHaveLength(5));
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
    play: async ({ canvas, step, journal, hasSent }) => {
      const dialog = await deleteFive(canvas, journal);
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
      await hasSent('5 + 1 + 5 requests', [
        ...list(mechanism),
        ...deletions(mechanism),
        answered('lovelace', mechanism),
        // The answer may have brought another cookie.
        ...linesUnder[mechanism].restores,
        ...deletions(mechanism),
      ]);
    },
  };
}

/** Five deletions, one dialog. */
export const DeletesFive: Story = inCases({
  'with tokens': deletesFive('token'),
  'with a cookie': deletesFive('cookie'),
  'the SDK’s token; the app’s own `answer` asks the user': deletesFive('context'),
});

/** A password manager may fill the dialog, and a password may be pasted (WCAG 3.3.8). Then the focus is back in the list. */
export const Pasted: Story = {
  play: async ({ canvas, step, journal }) => {
    const pressed = await canvas.findByRole('button', { name: 'Delete Article 2' });
    await userEvent.click(pressed);
    const dialog = within(await canvas.findByRole('dialog'));
    await step('Ada pastes her password', async () => {
      const password = dialog.getByLabelText('Password');
      await expect(password).toHaveAttribute('autocomplete', 'current-password');
      await expect(password).toHaveFocus();
      await userEvent.paste('lovelace');
      await expect(password).toHaveValue('lovelace');
      await userEvent.keyboard('{Enter}');
      await untilClosed(canvas);
    });
    await step('the row is gone, and the focus is in the next one', async () => {
      await waitFor(() => expect(pressed).not.toBeInTheDocument());
      await waitFor(() => expect(canvas.getAllByRole('listitem')[1]).toHaveFocus());
      await expect(canvas.getAllByRole('listitem')[1]).toHaveTextContent('Article 3');
    });
    const deletion = sent.delete('/article/2').as('ada');
    await expect(journal).toHaveSent([...list('token'), deletion, answered('lovelace'), deletion]);
  },
};

/** A server that answers 403 with `{ code: 'mfa_required' }`: `readChallenge` makes it a challenge, and `fields` asks for a code. */
export const OwnChallenge: Story = {
  play: async ({ canvas, step, hasSent }) => {
    server.wantCode();
    await canvas.findByText('Delete Article 5');
    await userEvent.click(canvas.getByRole('button', { name: 'Delete Article 5' }));
    const dialog = within(await canvas.findByRole('dialog'));
    await step('the dialog asks for a code, and for no password', async () => {
      await expect(dialog.queryByLabelText('Password')).not.toBeInTheDocument();
      await userEvent.type(dialog.getByLabelText('Code'), '246810{Enter}');
      await untilClosed(canvas);
    });
    await step('another 403 is an error of its row, as without the option', async () => {
      await waitFor(() => expect(canvas.queryByText('Article 5')).not.toBeInTheDocument());
      server.forbid();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete Article 4' }));
      await canvas.findByText('You do not have access to this.');
      await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument();
    });
    const deletion = (id: number) => sent.delete(`/article/${id}`).as('ada');
    await hasSent('1 + 1 + 1 requests, and one', [
      ...list('token'),
      deletion(5),
      sent.post('/step-up').as('ada').json({ code: '246810' }),
      deletion(5),
      deletion(4),
    ]);
  },
};

/** Escape: five rows stay, the user stays signed in, and the focus is back. */
export const Cancelled: Story = {
  play: async ({ canvas, step, journal }) => {
    const last = await canvas.findByRole('button', { name: 'Delete Article 5' });
    last.focus();
    await deleteFive(canvas, journal);
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
    const dialog = await deleteFive(canvas, journal);
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
    await deleteFive(canvas, journal);
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
    const dialog = await deleteFive(canvas, journal);
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
    const dialog = await deleteFive(canvas, journal);
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

/** On a phone, from right to left: the dialog fits, and is checked for accessibility while it is open. `tests/browser` plays it at 360 px. */
export const OnAPhone: Story = {
  parameters: { a11y: { test: 'error' } },
  decorators: [
    Story => (
      <div dir="rtl" style={{ maxInlineSize: '360px' }}>
        <Story />
      </div>
    ),
  ],
  play: async ({ canvas, step, journal }) => {
    const dialog = await deleteFive(canvas, journal);
    await step('it fits, and nothing scrolls sideways', async () => {
      const element = canvas.getByRole('dialog');
      const { left, right, width } = element.getBoundingClientRect();
      await expect(element).toHaveStyle({ direction: 'rtl' });
      await expect(width).toBeLessThanOrEqual(448);
      await expect([left >= 0, right <= window.innerWidth]).toEqual([true, true]);
      for (const { scrollWidth, clientWidth } of [element, document.documentElement])
        await expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    });
    await step('a wrong password is announced once, and every button is where a finger reaches it', async () => {
      let alerts = 0;
      const observer = new MutationObserver(() => (alerts += dialog.queryAllByRole('alert').length));
      observer.observe(canvas.getByRole('dialog'), { subtree: true, childList: true, characterData: true });
      await typePassword(dialog, 'byron');
      await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('The password is wrong.'));
      observer.disconnect();
      await expect(alerts).toBe(1);
      for (const button of dialog.getAllByRole('button')) {
        const { left, right, top, bottom, height } = button.getBoundingClientRect();
        await expect(height).toBeGreaterThanOrEqual(24);
        await expect(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)).toBe(button);
      }
    });
    await expect(journal).toHaveSent([...list('token'), ...deletions(), answered('byron')]);
  },
};
