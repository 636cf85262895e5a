import { useController } from '@data-client/react';
import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { Component, useState, type ReactNode } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated, useAuth } from '../../../src/index.js';
import { ArticlesDemo, AuthStatus, type ArticleHooks } from '../../support/ArticlesDemo.js';
import { RequestLog } from '../../support/RequestLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupAppsByMechanism, type MechanismApp } from '../../support/setupAppsByMechanism.js';
import { inCases } from '../../support/inCases.js';

const apps = setupAppsByMechanism();

type Calls = Record<string, () => Promise<unknown>>;

/** Hands out functions that an event handler of this screen could call. */
function Capture({ articles, onCapture }: { articles: ArticleHooks; onCapture: (calls: Calls) => void }) {
  const controller = useController();
  const get = articles.useGet();
  const getList = articles.useGetList();
  const partialUpdate = articles.usePartialUpdate();
  const draft = { title: 'Written by an old screen' };
  const capture = () =>
    onCapture({
      get: () => get({ id: '1' }),
      push: () => getList.push(draft),
      getPage: () => getList.getPage({ page: 2 }),
      'controller.fetch': () => controller.fetch(partialUpdate, { id: '1' }, draft),
      'controller.fetchIfStale': async () => controller.fetchIfStale(get, { id: '1' }),
    });
  return (
    <button type="button" onClick={capture}>
      Capture this screen
    </button>
  );
}

/** Holds the functions of a screen after that screen is gone. */
function OldScreen({ app, journal }: { app: MechanismApp; journal: StoryContext['journal'] }) {
  const { Articles, Provider, SignInButtons } = app;
  const [calls, setCalls] = useState<Calls>({});
  const [outcomes, setOutcomes] = useState<readonly string[]>([]);
  const callAll = async () => {
    const settled = await Promise.allSettled(Object.values(calls).map(call => call()));
    setOutcomes(
      settled.map(
        (one, index) =>
          `${Object.keys(calls)[index]}: ${one.status === 'fulfilled' ? 'answered' : (one.reason as Error).message}`,
      ),
    );
    setCalls({});
  };
  return (
    <>
      <RequestLog journal={journal} />
      <button type="button" onClick={() => void callAll()}>
        Call what was captured
      </button>
      <ol aria-label="Outcomes">
        {outcomes.map(outcome => (
          <li key={outcome}>{outcome}</li>
        ))}
      </ol>
      <Provider>
        <AuthStatus />
        <SignInButtons />
        <Capture articles={Articles} onCapture={captured => (setCalls(captured), setOutcomes([]))} />
        <Authenticated>
          <ArticlesDemo articles={Articles} />
        </Authenticated>
      </Provider>
    </>
  );
}

/**
 * A handler goes on after its user has left: a timer, an upload, a dialog that was open. What it calls belongs to the identity it was
 * rendered for, so nothing is sent, and each call rejects.
 */
const meta = {
  title: 'Proofs/Identity',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const LEFT =
  'This call belongs to the screen of an identity that has left, so nothing was sent. Call the endpoint or controller that the current screen renders.';
const REFUSED = ['get', 'push', 'getPage', 'controller.fetch', 'controller.fetchIfStale'].map(
  name => `${name}: ${LEFT}`,
);

/** The same actions under each mechanism. */
function callsLate(app: MechanismApp): Story {
  const { graceSignsIn, read, restores, sent, write } = app;
  const play: Story['play'] = async ({ canvas, step, journal }) => {
    const press = (name: string) => userEvent.click(canvas.getByRole('button', { name }));
    const allRefused = async () => {
      await press('Call what was captured');
      const outcomes = () => within(canvas.getByRole('list', { name: 'Outcomes' })).queryAllByRole('listitem');
      await waitFor(() => expect(outcomes().map(item => item.textContent)).toEqual(REFUSED));
    };
    await step('Grace signs in after Ada; calls of Ada’s screen reject', async () => {
      await canvas.findByText('On signing in');
      await press('Capture this screen');
      await press('Sign in as Grace Hopper');
      await canvas.findByText('A compiler for everyone');
      await allRefused();
    });
    await step('Grace signs out; calls of her screen reject too', async () => {
      await press('Capture this screen');
      await press('Sign out');
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous/));
      await allRefused();
    });
    await step('one list for each of them, and no request of an old screen', () =>
      waitFor(() =>
        expect(journal).toHaveSent([
          ...restores,
          read(sent.get('/article'), 'ada'),
          ...graceSignsIn,
          read(sent.get('/article'), 'grace'),
          // An SDK signs out by itself.
          ...(app === apps.context ? [] : [write(sent.post('/logout'), 'grace', app === apps.cookie ? 2 : 1)]),
        ]),
      ),
    );
  };
  return {
    parameters: { cookies: app.cookies },
    beforeEach: app.start('ada'),
    render: (_, { journal }) => <OldScreen app={app} journal={journal} />,
    play,
  };
}

/** Functions of the screen of a user who has left send nothing, and each call rejects. */
export const OldScreens: Story = inCases({
  'with tokens in a header': callsLate(apps.token),
  'with a cookie, which the browser would send on its own': callsLate(apps.cookie),
  'with the token of an SDK': callsLate(apps.context),
});

/** Shows that something below it threw. */
class Caught extends Component<{ children: ReactNode }, { hasThrown: boolean }> {
  override state = { hasThrown: false };

  static getDerivedStateFromError() {
    return { hasThrown: true };
  }

  override render() {
    return this.state.hasThrown ? <p>It threw.</p> : this.props.children;
  }
}

function ThrowsForGrace() {
  const { user } = useAuth();
  if ((user as { id?: string } | undefined)?.id === 'grace') throw new Error('The sibling threw');
  return null;
}

/** A component throws while the new screen renders. React discards that render and starts another; the list is still read only once. */
export const AThrowingSibling: Story = {
  parameters: { expectedConsoleErrors: [/The sibling threw/, /The above error occurred/] },
  beforeEach: apps.token.start('ada'),
  render: () => (
    <apps.token.Provider>
      <AuthStatus />
      <apps.token.SignInButtons />
      <ArticlesDemo articles={apps.token.Articles} />
      <Caught>
        <ThrowsForGrace />
      </Caught>
    </apps.token.Provider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Grace signs in after Ada, and a component beside the list throws', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('It threw.');
      await canvas.findByText('A compiler for everyone');
    });
    await hasSent('one list for each of them', [
      apps.token.sent.get('/article').as('ada'),
      ...apps.token.graceSignsIn,
      apps.token.sent.get('/article').as('grace'),
    ]);
  },
};
