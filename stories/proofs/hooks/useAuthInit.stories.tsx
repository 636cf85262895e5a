import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { createContext, useContext, useRef, useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import { hookifyResource, useAuthInit } from '../../../src/index.js';
import { articleResource } from '../../support/articles.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { useRenderCount } from '../../support/useRenderCount.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupTokenApp();
const { sent } = app;
const TenantContext = createContext('north');

/** The credentials of the session, and a header of the app. */
const Articles = hookifyResource(articleResource(), () => ({
  ...useAuthInit(),
  headers: { 'X-Tenant': useContext(TenantContext) },
}));

/** Reads the list, writes into it, and says whether its endpoint is still that of its first render. */
function TenantDemo() {
  const renders = useRenderCount();
  const controller = useController();
  const getList = Articles.useGetList();
  const list = useSuspense(getList);
  const firstEndpoint = useRef(getList);
  return (
    <section aria-label="Articles">
      <p>{list.map(article => article.title).join(', ')}</p>
      <p>{`Rendered ${renders} times, ${firstEndpoint.current === getList ? 'the same endpoint' : 'another endpoint'}`}</p>
      <button type="button" onClick={() => void controller.fetch(getList.push, { title: 'On writing' })}>
        Write
      </button>
    </section>
  );
}

function Tenants() {
  const [tenant, setTenant] = useState('north');
  const [, setTicks] = useState(0);
  return (
    <TenantContext.Provider value={tenant}>
      <button type="button" onClick={() => setTenant('south')}>
        Go south
      </button>
      <button type="button" onClick={() => setTicks(count => count + 1)}>
        Render again
      </button>
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <TenantDemo />
      </AsyncBoundary>
    </TenantContext.Provider>
  );
}

/** Proves that headers of the app and the credential go together, on an endpoint that stays the same object. */
const meta = {
  title: 'Proofs/Hooks',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  render: () => (
    <app.Provider>
      <Tenants />
    </app.Provider>
  ),
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The app's headers and the credential are sent together; a changed header is sent from the next request on. */
export const MergesOwnHeaders: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in, On signing out');
    });
    await step('she chooses the tenant in the south, and writes an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Go south' }));
      await canvas.findByText(/another endpoint/);
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('On signing in, On signing out, On writing');
    });
    await step('both requests carry her token, and the tenant of that moment', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article').as('ada').headers({ 'x-tenant': 'north' }),
          sent.post('/article').as('ada').headers({ 'x-tenant': 'south' }).json({ title: 'On writing' }),
        ],
        { headers: ['x-tenant'] },
      ),
    );
  },
};

/** Equal settings give the same endpoint object, although the hook makes a new object at every render. */
export const KeepsTheEndpoint: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('Rendered 1 times, the same endpoint');
    });
    await step('everything renders again, and the endpoint is the same object', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Render again' }));
      await canvas.findByText('Rendered 2 times, the same endpoint');
    });
    await step('one GET', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada').headers({ 'x-tenant': 'north' })], {
        headers: ['x-tenant'],
      }),
    );
  },
};
