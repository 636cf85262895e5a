import type { Meta, StoryObj } from '@storybook/react-vite';
import { StrictMode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, Can, ResourceList, TokenAuthProvider } from '../../../src/index.js';
import { SignInButtons } from '../../support/ArticlesDemo.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupPermissions } from '../../support/setupPermissions.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { click, tabsOf } from '../../support/Tabs.js';

/** Both tabs keep their tokens under one key, as two tabs of a browser do. */
const storageKey = `permission-tabs-${crypto.randomUUID()}`;
const app = setupTokenApp({ url: ownApi, session: { storage: 'local', storageKey } });
const { sent } = app;
const second = app.anotherSession();

/** Ada may delete, Grace may not. */
const server = setupPermissions(app.server, (_, personId) => personId === 'ada');

function Tab({ name, session }: { name: string; session: typeof second }) {
  return (
    <section aria-label={name}>
      <TokenAuthProvider session={session} can={server.can}>
        <SignInButtons />
        {/* Outside the gate: only the permission hides it. */}
        <Can action="create" on={{ type: 'Article' }}>
          <button type="button">Write one</button>
        </Can>
        <Authenticated fallback={<p>Nobody is signed in.</p>}>
          <ResourceList
            resource={app.Articles}
            label={`Articles in the ${name.toLowerCase()}`}
            renderItem={article => (
              <>
                {article.title}{' '}
                <Can action="delete" on={article}>
                  <button type="button">Delete it</button>
                </Can>
              </>
            )}
          />
        </Authenticated>
      </TokenAuthProvider>
    </section>
  );
}

/** Each session asks once for its own screen, also under StrictMode, and its answers end with it in every tab. */
const meta = {
  title: 'Proofs/Permissions/Tabs',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: [server.start(app.start()), () => second.dispose()],
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const ADA_SIGNS_IN = sent.post('/login').json({ username: 'ada', password: 'lovelace' });
const QUESTIONS = ['1', '2'].map(id => ({ action: 'delete', on: { type: 'Article', id } }));
const ADA_ASKS = sent.post('/permissions').as('ada').json({ questions: QUESTIONS });
const ADA_ASKS_FIRST = sent
  .post('/permissions')
  .as('ada')
  .json({ questions: [{ action: 'create', on: { type: 'Article' } }] });
const ADA_LISTS = sent.get('/article').as('ada');

/** React runs each effect twice in StrictMode. Each list and each question is sent once, as without it. */
export const InStrictMode: Story = {
  render: () => (
    <StrictMode>
      <Tab name="First tab" session={app.session} />
    </StrictMode>
  ),
  play: async ({ canvas, step, journal }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Sign in as Ada Lovelace' }));
    await waitFor(() => expect(canvas.getAllByRole('button', { name: 'Delete it' })).toHaveLength(2));
    await step('one login, one list, and one question for each of the two screens', () =>
      expect(journal).toHaveSent([ADA_SIGNS_IN, ADA_ASKS_FIRST, ADA_LISTS, ADA_ASKS], { anyOrder: true }),
    );
  },
};

/** Ada signs in in the first tab and out in the second: the first has none of her buttons. */
export const SignOutInAnotherTab: Story = {
  render: () => (
    <>
      <Tab name="First tab" session={app.session} />
      <Tab name="Second tab" session={second} />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const tabs = tabsOf(canvas);
    await step('Ada signs in in the first tab: both tabs show her buttons', async () => {
      await tabs.first.findByText('Nobody is signed in.');
      await click(tabs.first, 'Sign in as Ada Lovelace');
      for (const tab of [tabs.first, tabs.second])
        await waitFor(() => expect(tab.getAllByRole('button', { name: 'Delete it' })).toHaveLength(2));
    });
    await step('she signs out in the second tab: neither tab has one of them', async () => {
      await click(tabs.second, 'Sign out');
      await tabs.first.findByText('Nobody is signed in.');
      await waitFor(() => expect(app.server.counts.logouts).toBe(1));
      await expect(canvas.queryByRole('button', { name: /^(Delete it|Write one)$/ })).not.toBeInTheDocument();
    });
    await step('each tab has asked its own questions once', () =>
      expect(journal).toHaveSent(
        [
          ADA_SIGNS_IN,
          ...[ADA_ASKS_FIRST, ADA_LISTS, ADA_ASKS].flatMap(line => [line, line]),
          sent.post('/logout').as('ada'),
        ],
        { anyOrder: true },
      ),
    );
  },
};
