import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { RestEndpoint } from '../../../src/index.js';
import { Challenge, stepUp } from '../../../src/entries/step-up.js';
import { LoginForm } from '../../../src/entries/widgets.js';
import { AuthStatus } from '../../support/ArticlesDemo.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';

const sendCode = new RestEndpoint({ urlPrefix: ownApi, path: '/login/code', method: 'POST', body: {} });

const app = setupTokenApp({
  url: ownApi,
  session: {
    extensions: [
      stepUp({
        answer: (values: object, { details }) => sendCode({ ...values, transaction: details }),
        readLoginResult: (result: { transaction?: string }) =>
          result.transaction === undefined ? undefined : { kind: 'code', details: result.transaction },
      }),
    ],
  },
});
const { sent } = app;

/** After the password, the server of these stories wants the code 246810. */
const handlers = [
  http.post(`${ownApi}/login`, () => HttpResponse.json({ transaction: 't-1' })),
  http.post(`${ownApi}/login/code`, async ({ request }) => {
    const { code } = (await request.json()) as { code: string };
    return code === '246810' ? HttpResponse.json(app.server.signIn('ada')) : HttpResponse.json({}, { status: 401 });
  }),
];

function Page() {
  return (
    <app.Provider>
      <AuthStatus />
      <LoginForm />
      <Challenge />
    </app.Provider>
  );
}

/** A login that the server completes with a code only: the dialog asks before any user is signed in. */
const meta = {
  title: 'Proofs/Step-up/Second factor',
  tags: ['proof', '!autodocs'],
  component: Page,
  beforeEach: context => {
    const stop = app.start()(context);
    context.msw.use(...handlers);
    return stop;
  },
} satisfies Meta<typeof Page>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = StoryContext['canvas'];

const LOGIN = sent.post('/login').json({ username: 'ada', password: 'lovelace' });
const code = (text: string) => sent.post('/login/code').json({ code: text, transaction: 't-1' });

async function signIn(canvas: Canvas) {
  await canvas.findByText('anonymous');
  await userEvent.type(canvas.getByLabelText('User name'), 'ada');
  await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
  return within(await canvas.findByRole('dialog', { name: 'Confirm that it is you' }));
}

/** A wrong code keeps the dialog; the right one is pasted, and signs in. */
export const WrongCode: Story = {
  tags: ['slow'],
  play: async ({ canvas, step, hasSent }) => {
    const dialog = await signIn(canvas);
    const input = dialog.getByLabelText('Code');
    await step('a phone shows digits, and offers the code of the message', async () => {
      await expect(input).toHaveFocus();
      await expect(input).toHaveAttribute('autocomplete', 'one-time-code');
      await expect(input).toHaveAttribute('inputmode', 'numeric');
    });
    await step('a wrong code is announced, and no user is signed in', async () => {
      await userEvent.type(input, '111111{Enter}');
      await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('This is not right. Try again.'));
      await expect(canvas.getByText('anonymous')).toBeInTheDocument();
    });
    await step('Ada pastes the right one', async () => {
      await userEvent.clear(input);
      await userEvent.click(input);
      await userEvent.paste('246810');
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('authenticated');
      await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument();
    });
    await hasSent('one login, two codes', [LOGIN, code('111111'), code('246810')]);
  },
};

/** Cancel: the login rejects, and the form says so. */
export const Cancelled: Story = {
  play: async ({ canvas, step, journal }) => {
    const dialog = await signIn(canvas);
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await step('the form is back, with its values', async () => {
      await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('This was called off. Try again.'));
      await expect(canvas.getByLabelText('User name')).toHaveValue('ada');
      await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument();
    });
    await expect(journal).toHaveSent([LOGIN]);
  },
};
