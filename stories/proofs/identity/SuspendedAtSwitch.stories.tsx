import { AsyncBoundary, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { hookifyResource, resource, RestEndpoint, type Session } from '../../../src/index.js';
import { Article } from '../../support/articles.js';
import { SignInButtons } from '../../support/ArticlesDemo.js';
import { linesUnder } from '../../support/linesUnder.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupCookieApp, ownApi } from '../../support/setupCookieApp.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { inCases } from '../../support/inCases.js';

const apps = { token: setupTokenApp({ url: ownApi }), cookie: setupCookieApp() };
const answers = createCounter();

/** Counts the answers that the page has read. */
class CountedEndpoint extends RestEndpoint {
  override async parseResponse(response: Response): Promise<unknown> {
    const value: unknown = await super.parseResponse(response);
    answers.add();
    return value;
  }
}

const Articles = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, Endpoint: CountedEndpoint }),
);

function Titles() {
  const list = useSuspense(Articles.useGetList());
  return <p>{list.map(({ title }) => title).join(', ')}</p>;
}

type Loaded = { default: (props: { name: string }) => ReactNode };

/** The greeting of Grace, which takes time to load. */
function createGreeting() {
  let load!: (module: Loaded) => void;
  let Greeting: ReturnType<typeof lazy<Loaded['default']>>;
  const Loaded: Loaded['default'] = ({ name }) => <p>Good morning, {name}</p>;
  return {
    reset: () => (Greeting = lazy(() => new Promise<Loaded>(resolve => (load = resolve)))),
    load: () => load({ default: Loaded }),
    render: (name: string) => (name === 'grace' ? <Greeting name={name} /> : <Loaded name={name} />),
  };
}

const greeting = createGreeting();

/** Beside the provider, and below the same `<Suspense>`. */
function Beside({ session }: { session: Session<{ id: string }> }) {
  const { user } = useSyncExternalStore(session.subscribe, session.getSnapshot);
  return greeting.render(user?.id ?? 'nobody');
}

/**
 * A component beside the provider suspends in the render that shows the next user, so React throws this render away, and the first store
 * of this user with it. The request of the list was sent by then, and its answer arrives before React renders again.
 */
const meta = {
  title: 'Proofs/Identity',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: () => {
    answers.reset();
    greeting.reset();
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function suspends(mechanism: keyof typeof apps): Story {
  const app = { ...apps[mechanism], ...linesUnder[mechanism], sent: apps.token.sent };
  const { articles, session, Provider, start } = app;
  return {
    ...(mechanism === 'cookie' && { parameters: { cookies: apps.cookie.cookies } }),
    beforeEach: start('ada'),
    render: () => (
      <>
        <RenderCounter label="Answers" counter={answers} />
        <Suspense fallback={<p>Loading the page…</p>}>
          <Provider>
            <SignInButtons />
            <AsyncBoundary fallback={<p>Fetching…</p>}>
              <Titles />
            </AsyncBoundary>
          </Provider>
          <Beside session={session} />
        </Suspense>
      </>
    ),
    async play({ canvas, step, journal }) {
      await canvas.findByText(/^On signing in/);
      await canvas.findByText('Answers: 1');
      const release = articles.hold();
      await step('Grace signs in, and her page is loading when the answer for her list arrives', async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
        await waitFor(() => expect(articles.held).toBe(1));
        await canvas.findByText('Loading the page…');
        release();
        await canvas.findByText('Answers: 2');
      });
      await step('her page is loaded, and shows her list', async () => {
        greeting.load();
        await canvas.findByText(/^Good morning, *grace$/);
        await canvas.findByText('A compiler for everyone, On finding the moth');
      });
      await step('both renders have shared one request', () =>
        expect(journal).toHaveSent([
          ...app.restores,
          app.read(app.sent.get('/article'), 'ada'),
          ...app.graceSignsIn,
          app.read(app.sent.get('/article'), 'grace'),
        ]),
      );
    },
  };
}

/** A component beside the provider suspends at the switch: the list of the next user is read once. */
export const SuspendedAtSwitch: Story = inCases({
  'with tokens': suspends('token'),
  'with a cookie': suspends('cookie'),
});
