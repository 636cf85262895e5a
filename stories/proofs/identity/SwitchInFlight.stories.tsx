import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { recordText } from '../../support/recordText.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupAppsByMechanism, type MechanismApp } from '../../support/setupAppsByMechanism.js';
import { calledOff, Library, SHELVES } from './Library.js';
import { inCases } from '../../support/inCases.js';

const apps = setupAppsByMechanism({ loginTimeout: 500 });

const { now } = Date;

/** Stops the clock that data-client reads. */
function freezeClock() {
  const moment = now();
  Date.now = () => moment;
}

function thawClock() {
  Date.now = now;
}

/**
 * Five reads and a mutation of Ada's are in flight when Grace takes her place, in the same millisecond. The server answers them all the
 * same, to nobody. The counts stand above the page.
 */
const meta = {
  title: 'Proofs/Identity',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: () => {
    calledOff.reset();
    return thawClock;
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const IDENTITY_CHANGED =
  'The identity changed while this request was under way, so its answer was dropped. Start it again if the new identity wants it.';

/** The same actions and the same requests under each mechanism. */
function switches(app: MechanismApp): Story {
  const { articles, read, sent, write } = app;
  const play: Story['play'] = async ({ canvas, step, hasSent }) => {
    await canvas.findByText('authenticated');
    const release = articles.hold();
    const texts = recordText(canvas.getByRole('region', { name: 'Shelves' }));
    freezeClock();
    await step('Ada opens five shelves and renames an article; the server does not answer', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Show the shelves' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Rename Ada’s' }));
      await waitFor(() => expect(articles.held).toBe(6));
      await expect(canvas.getByText('Called off: 0')).toBeInTheDocument();
    });
    await step(
      'Grace signs in: all six requests are called off, and the five shelves are fetched as Grace',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
        await canvas.findByText(IDENTITY_CHANGED);
        await waitFor(() => expect(articles.held).toBe(11));
        await expect(canvas.getByText('Called off: 6')).toBeInTheDocument();
        thawClock();
      },
    );
    await step(
      'all eleven answers arrive, and only Grace’s articles are shown at any moment (scenario 8)',
      async () => {
        release();
        await waitFor(() =>
          expect(canvas.getAllByText(/: A compiler for everyone, On finding the moth$/)).toHaveLength(5),
        );
        texts.stop();
        await expect(texts.since('authenticated').filter(text => text.includes('On signing in'))).toEqual([]);
        await expect(canvas.getByText('11 for data, 0 to refresh')).toBeInTheDocument();
        await expect(canvas.getByText('Called off: 6')).toBeInTheDocument();
      },
    );
    await hasSent(
      'each shelf is read once by each of them',
      [
        ...app.restores,
        ...SHELVES.map(name => read(sent.get(`/article?shelf=${name}`), 'ada')),
        write(sent.patch('/article/1'), 'ada').json({ title: 'Renamed 1' }),
        ...app.graceSignsIn,
        ...SHELVES.map(name => read(sent.get(`/article?shelf=${name}`), 'grace')),
      ],
      { anyOrder: true },
    );
  };
  return {
    parameters: { cookies: app.cookies },
    beforeEach: app.start('ada'),
    render: (_, { journal }) => <Library app={app} journal={journal} />,
    play,
  };
}

/** Grace signs in while requests of Ada’s are under way: they are called off, and no answer for Ada is shown. */
export const InFlight: Story = inCases({
  'by a login, with tokens in a header': switches(apps.token),
  'by a login, with a cookie. The login waits for Ada’s requests, so that none of them goes with Grace’s cookie, and aborts those that take too long':
    switches(apps.cookie),
  'by a sign-in at an SDK': switches(apps.context),
});
