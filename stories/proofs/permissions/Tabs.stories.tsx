import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, waitFor } from 'storybook/test';
import { Authenticated, TokenAuthProvider } from '../../../src/index.js';
import { Can } from '../../../src/entries/permissions.js';
import { ResourceList } from '../../../src/entries/widgets.js';
import { SignInButtons } from '../../support/ArticlesDemo.js';
import { recordText } from '../../support/recordText.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupPermissions } from '../../support/setupPermissions.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { click, placeOfTabs, tabsOf } from '../../support/Tabs.js';

/** Both tabs keep their tokens under one key, as two tabs of a browser do. */
const storageKey = `permission-tabs-${crypto.randomUUID()}`;
const app = setupTokenApp({ url: ownApi, session: { storage: { in: placeOfTabs(storageKey), key: storageKey } } });
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

/** Each session asks once for its own screen, and its answers end with it in every tab. */
const meta = {
  title: 'Proofs/Permissions',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: [server.start(app.start()), () => second.dispose()],
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const ADA_SIGNS_IN = sent.post('/login').json({ username: 'ada', password: 'lovelace' });
const ROWS = { ada: ['1', '2'], grace: ['3', '4'] };
const FIRST_QUESTIONS = [{ action: 'create', on: { type: 'Article' } }];
/** One list, and one question for each of the two screens. */
const screensOf = (person: keyof typeof ROWS) => [
  sent.post('/permissions').as(person).json({ questions: FIRST_QUESTIONS }),
  sent.get('/article').as(person),
  sent
    .post('/permissions')
    .as(person)
    .json({ questions: ROWS[person].map(id => ({ action: 'delete', on: { type: 'Article', id } })) }),
];
/** Those of both tabs. */
const questionsOf = (person: keyof typeof ROWS) => screensOf(person).flatMap(line => [line, line]);

/** Ada signs in in the first tab and out in the second, and Grace signs in: no tab ever shows her one of Ada's buttons. */
export const SignOutInAnotherTab: Story = {
  render: () => (
    <>
      <Tab name="First tab" session={app.session} />
      <Tab name="Second tab" session={second} />
    </>
  ),
  play: async ({ canvas, canvasElement, step, journal, hasSent }) => {
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
    const texts = recordText(canvasElement);
    const release = server.hold();
    await step('Grace signs in, about whom the server has not answered yet: her rows, and no button', async () => {
      await click(tabs.first, 'Sign in as Grace Hopper');
      for (const tab of [tabs.first, tabs.second])
        await waitFor(() => expect(tab.getAllByRole('listitem')).toHaveLength(2));
      await waitFor(() => expect(server.asked().filter(({ personId }) => personId === 'grace')).toHaveLength(4));
    });
    await step('the answers come: at no moment was one of them there', async () => {
      release();
      await journal.settled();
      await expect(canvas.queryByRole('button', { name: /^(Delete it|Write one)$/ })).not.toBeInTheDocument();
      texts.stop();
      const seen = texts.since('Nobody is signed in.');
      await expect(seen.filter(text => /Delete it|Write one/.test(text))).toEqual([]);
    });
    await hasSent(
      'each tab has asked the questions of each user once',
      [
        ADA_SIGNS_IN,
        ...questionsOf('ada'),
        sent.post('/logout').as('ada'),
        sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        ...questionsOf('grace'),
      ],
      { anyOrder: true },
    );
  },
};
