import type { Meta, StoryObj } from '@storybook/react-vite';
import { useLayoutEffect } from 'react';
import { expect, userEvent, within } from 'storybook/test';
import { createTokenSession, TokenAuthProvider } from '../../../src/index.js';
import { tokenAuthHandlers } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, people } from '../../support/articles.js';
import { AuthStatus } from '../../support/ArticlesDemo.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { requestsOnly } from '../../support/requestsOnly.js';

/** The session finds out who signed in from the answer of the login. */
const meta = {
  title: 'Proofs/Identity',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Issues JWTs, in which `sub` tells whose they are. */
const issuer = tokenAuthHandlers({ url: api, people, jwt: true });
const jwtOf = (who: string) => issuer.signIn(who).accessToken;
let logins = 0;
/** A token that names no user. */
const opaque = () => `opaque-${++logins}`;

/** The ways in which the answer of a login can name the user. */
const TELLING = {
  '`user.id`': createTokenSession({ login: async (who: string) => ({ accessToken: opaque(), user: { id: who } }) }),
  '`user.sub`': createTokenSession({ login: async (who: string) => ({ accessToken: opaque(), user: { sub: who } }) }),
  '`subject`': createTokenSession({ login: async (who: string) => ({ accessToken: opaque(), subject: who }) }),
  'the `sub` of a JWT': createTokenSession({ login: async (who: string) => ({ accessToken: jwtOf(who) }) }),
  '`parseTokens`': createTokenSession({
    login: async (who: string) => ({ accessToken: opaque(), account: who }),
    parseTokens: ({ accessToken, account }) => ({ accessToken, subject: account }),
  }),
  'a JWT by another name': createTokenSession({
    login: async (who: string) => ({ jwt: jwtOf(who) }),
    parseTokens: (answer: { jwt: string }) => ({ accessToken: answer.jwt }),
  }),
};
const WAYS = Object.entries({
  ...TELLING,
  nothing: createTokenSession({ login: async (_who: string) => ({ accessToken: opaque() }) }),
}).map(([label, session]) => ({
  label,
  session,
  mounts: createCounter(),
}));

/** The epoch at which a story starts. */
const before = new Map<object, number>();

/** Counts how often it was mounted. */
function Mounted({ mounts }: { mounts: ReturnType<typeof createCounter> }) {
  useLayoutEffect(() => mounts.add(), [mounts]);
  return null;
}

/**
 * The answer of the login names the user: the same user again changes nothing, another user gets a new tree. If the
 * answer names no user, each login is another identity.
 */
export const WhoItIs: Story = {
  beforeEach: () => {
    for (const { session, mounts } of WAYS) {
      session.dispose();
      mounts.reset();
      before.set(session, session.getSnapshot().epoch);
    }
  },
  render: () => (
    <>
      {WAYS.map(({ label, session, mounts }) => (
        <section key={label} aria-label={label}>
          {['ada', 'grace'].map(who => (
            <ActionButton
              key={who}
              label={`Sign in as ${who}`}
              act={() =>
                session
                  .login(who)
                  .then(() => `Identity no. ${session.getSnapshot().epoch - (before.get(session) ?? 0)}`)
              }
            />
          ))}
          <RenderCounter label="Mounted" counter={mounts} />
          <TokenAuthProvider session={session}>
            <AuthStatus />
            <Mounted mounts={mounts} />
          </TokenAuthProvider>
        </section>
      ))}
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const at = (label: string) => within(canvas.getByRole('region', { name: label }));
    const signIn = async (label: string, who: string, identity: number) => {
      await userEvent.click(at(label).getByRole('button', { name: `Sign in as ${who}` }));
      await at(label).findByText(`Identity no. ${identity}`);
    };
    await step('Ada signs in twice, and is one identity; Grace is another, and the tree is mounted again', async () => {
      for (const label of Object.keys(TELLING)) {
        await signIn(label, 'ada', 1);
        await signIn(label, 'ada', 1);
        await expect(at(label).getByText('Mounted: 1')).toBeInTheDocument();
        await signIn(label, 'grace', 2);
        await at(label).findByText('Mounted: 2');
      }
    });
    await step('if the answer names no user, each login is another identity', async () => {
      await signIn('nothing', 'ada', 1);
      await signIn('nothing', 'ada', 2);
      await at('nothing').findByText('Mounted: 2');
    });
    await step('nothing was sent', () => expect(journal).toHaveSent([]));
  },
};
