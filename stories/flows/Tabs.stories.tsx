import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated, TokenAuthProvider } from '../../src/index.js';
import { Desk, Door, Who } from '../support/Desk.js';
import { tokenWorld } from '../support/tokenWorld.js';
import { Watch } from '../support/Watch.js';

/** The first tab. Both keep their tokens in one place, as two tabs of a browser do. */
const world = tokenWorld({ session: { storage: 'local', storageKey: 'tabs-story' } });
const second = world.anotherSession();

function Tab({ name, session }: { name: string; session: typeof second }) {
  return (
    <section aria-label={name} style={{ flex: 1, border: '1px solid', padding: '0 1rem' }}>
      <h2>{name}</h2>
      <TokenAuthProvider session={session}>
        <Who />
        <Door />
        <Authenticated fallback={<p>Nobody is signed in.</p>}>
          <Desk articles={world.Articles} label={`Articles in the ${name.toLowerCase()}`} />
        </Authenticated>
      </TokenAuthProvider>
    </section>
  );
}

/**
 * Two tabs of one browser share a sign-in: who signs in or out in one does so in both, and a refresh is done once. The two stand side
 * by side here, each with a session and a store of its own; they know of each other only what tabs can.
 */
const meta = {
  title: 'Flows/Tabs',
  parameters: { docs: { story: { height: '640px' } } },
  beforeEach: [
    world.start(),
    () => {
      second.dispose();
    },
  ],
  render: (_, { journal }) => (
    <>
      <Watch journal={journal} />
      <div style={{ display: 'flex', gap: '1rem' }}>
        <Tab name="First tab" session={world.session} />
        <Tab name="Second tab" session={second} />
      </div>
    </>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = ReturnType<typeof within>;

const tabsOf = (canvas: Canvas) => ({
  first: within(canvas.getByRole('region', { name: 'First tab' })),
  second: within(canvas.getByRole('region', { name: 'Second tab' })),
});
const click = (tab: Canvas, name: string) => userEvent.click(tab.getByRole('button', { name }));

const ADA_SIGNS_IN = 'POST https://api.example.com/login  same-origin  {"username":"ada","password":"lovelace"}';
const GRACE_SIGNS_IN = 'POST https://api.example.com/login  same-origin  {"username":"grace","password":"hopper"}';
const list = (token: string) => `GET https://api.example.com/article  same-origin  access-token: ${token}`;
const rename = (token: string) => `PATCH https://api.example.com/article/1  same-origin  access-token: ${token}  {"title":"On knocking"}`;

/** Ada signs in in the first tab, and both show her articles; she signs out in the second, and neither does. */
export const SignInAndOut: Story = {
  play: async ({ canvas, step, journal }) => {
    const tabs = tabsOf(canvas);
    await step('Ada signs in in the first tab, and the second one follows', async () => {
      await tabs.first.findByText('anonymous');
      await click(tabs.first, 'Sign in as Ada Lovelace');
      await tabs.first.findByText('On signing in');
      await tabs.second.findByText('On signing in');
    });
    await step('she signs out in the second tab, and the first one follows', async () => {
      await click(tabs.second, 'Sign out');
      await tabs.second.findByText('anonymous: signed-out');
      await tabs.first.findByText('anonymous: elsewhere');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('one login, one logout, and each tab read for itself', () =>
      expect(journal).toHaveSent([ADA_SIGNS_IN, list('ada-1'), list('ada-1'), 'POST https://api.example.com/logout  same-origin  access-token: ada-1']));
  },
};

/** Grace signs in where Ada was: the other tab leaves Ada’s screen at once, and reads as Grace. */
export const AnotherPerson: Story = {
  play: async ({ canvas, step, journal }) => {
    const tabs = tabsOf(canvas);
    await step('both tabs show Ada’s articles', async () => {
      await tabs.first.findByText('anonymous');
      await click(tabs.first, 'Sign in as Ada Lovelace');
      await tabs.first.findByText('On signing in');
      await tabs.second.findByText('On signing in');
    });
    await step('Grace signs in in the first tab, and both show hers', async () => {
      await click(tabs.first, 'Sign in as Grace Hopper');
      await tabs.first.findByText('A compiler for everyone');
      await tabs.second.findByText('A compiler for everyone');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('nothing was sent as Ada after Grace came', () =>
      expect(journal).toHaveSent([ADA_SIGNS_IN, list('ada-1'), list('ada-1'), GRACE_SIGNS_IN, list('grace-1'), list('grace-1')]));
  },
};

/** The token expires, and both tabs rename at once. A refresh token that can be used once is used once. */
export const OneRefresh: Story = {
  play: async ({ canvas, step, journal }) => {
    const tabs = tabsOf(canvas);
    await step('both tabs show Ada’s articles', async () => {
      await tabs.first.findByText('anonymous');
      await click(tabs.first, 'Sign in as Ada Lovelace');
      await tabs.first.findByText('On signing in');
      await tabs.second.findByText('On signing in');
    });
    await step('her token has expired; both tabs rename an article', async () => {
      world.server.expireAccessTokens();
      const release = world.articles.hold();
      await click(tabs.first, 'Rename the first');
      await click(tabs.second, 'Rename the first');
      await waitFor(() => expect(world.articles.held).toBe(2));
      release();
      await tabs.first.findByText('Renamed');
      await tabs.second.findByText('Renamed');
      await expect(canvas.getByText('6 for data, 1 to refresh')).toBeInTheDocument();
      await expect(canvas.getAllByText('authenticated')).toHaveLength(2);
    });
    await step('four renames, two with each token, and one refresh', () =>
      expect(journal).toHaveSent(
        [
          ADA_SIGNS_IN,
          list('ada-1'),
          list('ada-1'),
          rename('ada-1'),
          rename('ada-1'),
          'POST https://api.example.com/refresh  same-origin  {"refreshToken":"ada-refresh-1"}',
          rename('ada-2'),
          rename('ada-2'),
        ],
        { anyOrder: true },
      ));
  },
};
