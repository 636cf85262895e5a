import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ReactNode } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { useAuth, useSessionFetch, type SessionFetch } from '../../../src/index.js';
import { CountedPage } from '../../support/CountedPage.js';
import { useOutcomeLog } from '../../support/OutcomeLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupAppsByMechanism, type MechanismApp } from '../../support/setupAppsByMechanism.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { inCases } from '../../support/inCases.js';

const apps = setupAppsByMechanism({ loginTimeout: 500 });

const TEN = Array.from({ length: 10 }, (_, index) => index);

/** Asks ten times, and hands out its `fetch` to code that outlives it. */
function AskTenTimes({ capture }: { capture: (fetch: SessionFetch) => void }) {
  const fetch = useSessionFetch();
  const tell = useOutcomeLog();
  const { id, subject } = (useAuth().user ?? {}) as { id?: string; subject?: string };
  const ask = () => {
    capture(fetch);
    for (const n of TEN)
      fetch(`${ownApi}/article?n=${n}`).then(
        ({ status }) => tell(`${n}: ${status}`),
        (error: Error) => tell(`${n}: ${error.name}`),
      );
  };
  return (
    <>
      <p>The screen of {id ?? subject}</p>
      <button type="button" onClick={ask}>
        Ask ten times
      </button>
    </>
  );
}

/** Calls the `fetch` of a screen, also after that screen is gone. */
function Captured({ children }: { children: (capture: (fetch: SessionFetch) => void) => ReactNode }) {
  const [fetch, setFetch] = useState<{ call: SessionFetch }>();
  const [outcome, setOutcome] = useState('');
  const ask = () =>
    fetch?.call(`${ownApi}/article`).then(
      ({ status }) => setOutcome(`It was answered with ${status}.`),
      (error: Error) => setOutcome(error.message),
    );
  return (
    <>
      <button type="button" onClick={() => void ask()}>
        Ask as the earlier screen
      </button>
      <p>{outcome}</p>
      {children(call => setFetch({ call }))}
    </>
  );
}

/** Ten requests of Ada's are in flight when Grace takes her place; then code of Ada's screen sends another one. */
const meta = {
  title: 'Proofs/Other clients',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The same under each mechanism. */
function switches(app: MechanismApp): Story {
  const { articles, read, sent } = app;
  const play: Story['play'] = async ({ canvas, step, hasSent }) => {
    const press = (name: string) => userEvent.click(canvas.getByRole('button', { name }));
    const told = () => within(canvas.getByRole('list', { name: /told/ })).queryAllByRole('listitem');
    await canvas.findByText('The screen of ada');
    const release = articles.hold();
    await step('Ada asks ten times, and the server does not answer', async () => {
      await press('Ask ten times');
      await waitFor(() => expect(articles.held).toBe(10));
    });
    await step('Grace signs in: all ten reject', async () => {
      await press('Sign in as Grace Hopper');
      await waitFor(() => expect(told()).toHaveLength(10));
      await canvas.findByText('The screen of grace');
      const outcomes = told().map(({ textContent }) => textContent?.replace(/^\d: /, ''));
      await expect(new Set(outcomes)).toEqual(new Set(['AbortError']));
    });
    await step('the server answers the ten, to nobody; code of Ada’s screen sends nothing any more', async () => {
      release();
      await press('Ask as the earlier screen');
      await canvas.findByText(/^This call belongs to the screen of an identity that has left, so nothing was sent\./);
      await expect(told()).toHaveLength(10);
    });
    await hasSent('ten requests as Ada, none as Grace', [
      ...app.restores,
      ...TEN.map(n => read(sent.get(`/article?n=${n}`), 'ada')),
      ...app.graceSignsIn,
    ]);
  };
  return {
    parameters: { cookies: app.cookies },
    beforeEach: app.start('ada'),
    render: (_, { journal }) => (
      <Captured>
        {capture => (
          <CountedPage journal={journal} app={app}>
            <AskTenTimes capture={capture} />
          </CountedPage>
        )}
      </Captured>
    ),
    play,
  };
}

/** Another user signs in while the calls of another client are under way. */
export const SwitchUnderEachProvider: Story = inCases({
  'with tokens in a header': switches(apps.token),
  'with a cookie, which the browser would send on its own': switches(apps.cookie),
  'with the token of an SDK': switches(apps.context),
});
