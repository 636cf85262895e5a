import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { createContext, useContext, useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import { hookifyResource, resource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, Article, articleResource, rows } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { setupRestApi } from '../../support/setupRestApi.js';
import { useCountOf } from '../../support/useCountOf.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const source = articleResource();
const app = setupRestApi(source, rows);
const { sent } = app;

/** What the spec says about `useInit`: it runs at each render, and its settings are merged with those of the resource. */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: app.start,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const LanguageContext = createContext('en');
const TranslatedResource = hookifyResource(source, () => ({
  headers: { 'Access-Token': 'ada-1', 'Accept-Language': useContext(LanguageContext) },
}));

function Translated() {
  const controller = useController();
  const get = TranslatedResource.useGet();
  const changes = useCountOf(get);
  return (
    <>
      <p>{`Endpoints so far: ${changes}`}</p>
      <ActionButton label="Read" act={async () => `Read ${(await controller.fetch(get, { id: '1' })).title}`} />
    </>
  );
}

function Languages() {
  const [language, setLanguage] = useState('en');
  return (
    <LanguageContext.Provider value={language}>
      <button type="button" onClick={() => setLanguage('fr')}>
        En français
      </button>
      <Translated />
    </LanguageContext.Provider>
  );
}

/** `useInit` runs as a hook at each render, so it can read a context. When the value changes, the endpoint changes. */
export const InitComesFromTheRender: Story = {
  render: () => <Languages />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader reads in English', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Read' }));
      await canvas.findByText('Read On signing in');
    });
    await step('the context changes, and with it the endpoint', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'En français' }));
      await canvas.findByText('Endpoints so far: 2');
      await userEvent.click(canvas.getByRole('button', { name: 'Read' }));
      await canvas.findByText('Read On signing in');
    });
    await step('each request carries the value of its render', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article/1').as('ada').headers({ 'accept-language': 'en' }),
          sent.get('/article/1').as('ada').headers({ 'accept-language': 'fr' }),
        ],
        { headers: ['accept-language'] },
      ),
    );
  },
};

const OwnInitResource = hookifyResource(
  resource({
    urlPrefix: api,
    path: '/article/:id',
    schema: Article,
    requestInit: { credentials: 'omit', headers: { 'X-Client': 'the resource', 'X-Trace': 'kept' } },
  }),
  () => ({ headers: { 'Access-Token': 'ada-1', 'x-client': 'the hook' } }),
);

function OwnInit() {
  return <p>{useSuspense(OwnInitResource.useGet(), { id: '1' }).title}</p>;
}

/** The settings of `useInit` are merged with the resource's own `requestInit`. Of a header that both set, the hook's value is sent. */
export const InitIsMerged: Story = {
  render: () => <OwnInit />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the article', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the header that both set has the hook’s value; the other settings of both are sent', () =>
      expect(journal).toHaveSent(
        [sent.get('/article/1').credentials('omit').as('ada').headers({ 'x-client': 'the hook', 'x-trace': 'kept' })],
        {
          headers: ['x-client', 'x-trace'],
        },
      ),
    );
  },
};

const HeadersResource = hookifyResource(source, () => ({ headers: new Headers({ 'Access-Token': 'ada-1' }) }));

function WithHeadersInstance() {
  const controller = useController();
  const partialUpdate = HeadersResource.usePartialUpdate();
  return (
    <>
      <p>{useSuspense(HeadersResource.useGet(), { id: '1' }).title}</p>
      <ActionButton
        label="Rename"
        act={async () =>
          `Now called ${(await controller.fetch(partialUpdate, { id: '1' }, { title: 'On knocking' })).title}`
        }
      />
    </>
  );
}

/** The field `headers` of the request settings may be a `Headers` instance; its entries are sent, beside the `Content-Type` of JSON. */
export const HeadersInstance: Story = {
  render: () => <WithHeadersInstance />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the article, and renames it', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('both requests carry the token', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article/1').as('ada').headers({ 'content-type': 'application/json' }),
          sent
            .patch('/article/1')
            .as('ada')
            .headers({ 'content-type': 'application/json' })
            .json({ title: 'On knocking' }),
        ],
        { headers: ['content-type'] },
      ),
    );
  },
};

const TuplesResource = hookifyResource(source, () => ({
  headers: [
    ['Access-Token', 'ada-1'],
    ['Content-Type', 'application/merge-patch+json'],
  ],
}));

function WithTuples() {
  const controller = useController();
  const partialUpdate = TuplesResource.usePartialUpdate();
  return (
    <ActionButton
      label="Rename"
      act={async () =>
        `Now called ${(await controller.fetch(partialUpdate, { id: '1' }, { title: 'On knocking' })).title}`
      }
    />
  );
}

/** The field `headers` may be tuples; a `Content-Type` among them takes the place of the default. */
export const HeaderTuples: Story = {
  render: () => <WithTuples />,
  play: async ({ canvas, step, journal }) => {
    await step('the writer renames the article', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Rename' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('both tuples are sent', () =>
      expect(journal).toHaveSent(
        [
          sent
            .patch('/article/1')
            .as('ada')
            .headers({ 'content-type': 'application/merge-patch+json' })
            .json({ title: 'On knocking' }),
        ],
        { headers: ['content-type'] },
      ),
    );
  },
};
