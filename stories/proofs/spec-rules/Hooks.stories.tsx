import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { createContext, memo, useContext, useEffect, useRef, useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, Article, articleResource, rows } from '../../support/articles.js';
import { inCases } from '../../support/inCases.js';
import { RenameFirst } from '../../support/PlainArticles.js';
import { inPlainStore, PlainStore } from '../../support/PlainStore.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import { titlesOf } from '../../support/titlesOf.js';
import { useCountOf } from '../../support/useCountOf.js';

const source = articleResource();
const ArticleResource = hookifyResource(source, useAda);
const app = setupRestApi(source, rows);
const { sent } = app;
const rowRenders = createCounter();

/** What the spec says under “hookifyResource”, and its rule 10: hooks that return endpoints, whose settings come from `useInit` at render. */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: context => {
    rowRenders.reset();
    return app.start(context);
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function ReadAndWrite() {
  const articles = useSuspense(ArticleResource.useGetList());
  return (
    <>
      <ul>
        {articles.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <RenameFirst by={ArticleResource.usePartialUpdate()} />
    </>
  );
}

let release: () => void;

/** Under “Endpoints”: reads go through `useSuspense`, writes through `Controller.fetch`; both take the endpoint that a hook returned. */
export const UseSuspenseReadsControllerFetchWrites: Story = {
  name: 'useSuspense reads, Controller.fetch writes',
  render: () => <ReadAndWrite />,
  beforeEach: () => {
    release = app.records.hold();
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('the screen waits while the server does not answer', async () => {
      await canvas.findByText('Fetching…');
    });
    await step('it answers, and the reader sees the list', async () => {
      release();
      await canvas.findByText('On signing in');
    });
    await step('the writer renames an article, and the list shows it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
      await expect(titlesOf(canvas)[0]).toBe('On knocking');
    });
    await hasSent('one GET, one PATCH', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
    ]);
  },
};

const extended = articleResource().extend('publish', {
  path: '/article/:id/publish',
  method: 'POST',
  body: undefined,
  schema: Article,
});
const PublishedResource = hookifyResource(extended, useAda);

function Publish() {
  const controller = useController();
  const publish = PublishedResource.usePublish();
  return (
    <ActionButton
      label="Publish"
      act={async () => `Published ${(await controller.fetch(publish, { id: '1' })).title}`}
    />
  );
}

/** `hookifyResource` makes a hook of every endpoint of the resource, also of one that it was extended with. */
export const ExtendedEndpointsHaveHooks: Story = {
  beforeEach: ({ msw }) => {
    msw.use(
      http.post(
        `${api}/article/:id/publish`,
        ({ request, params }) => app.server.authorize(request) ?? HttpResponse.json({ ...rows[0], id: params.id }),
      ),
    );
  },
  render: () => <Publish />,
  play: async ({ canvas, step, hasSent }) => {
    await step('the writer publishes the article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Publish' }));
      await canvas.findByText('Published On signing in');
    });
    await hasSent('one POST at the endpoint’s own path, with the settings of `useInit`', [
      sent.post('/article/1/publish').as('ada'),
    ]);
  },
};

function Endpoints() {
  const [renders, setRenders] = useState(1);
  const getList = ArticleResource.useGetList();
  const counts = {
    useGet: useCountOf(ArticleResource.useGet()),
    useGetList: useCountOf(getList),
    push: useCountOf(getList.push),
    unshift: useCountOf(getList.unshift),
    getPage: useCountOf(getList.getPage),
    useUpdate: useCountOf(ArticleResource.useUpdate()),
    usePartialUpdate: useCountOf(ArticleResource.usePartialUpdate()),
    useDelete: useCountOf(ArticleResource.useDelete()),
  };
  return (
    <>
      <button type="button" onClick={() => setRenders(renders + 1)}>
        Render again
      </button>
      <p>{`Renders: ${renders}`}</p>
      <ul>
        {Object.entries(counts).map(([name, count]) => (
          <li key={name}>{`${name}: ${count}`}</li>
        ))}
      </ul>
    </>
  );
}

/**
 * The returned endpoint is the same object at every render, and so are its `push`, `unshift` and `getPage`, although
 * this `useInit` returns a new object each time. The spec leaves this open; effects and memo components depend on it.
 */
export const EndpointsAreStable: Story = {
  render: () => <Endpoints />,
  play: async ({ canvas, step, hasSent }) => {
    await step('the component renders three times', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Render again' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Render again' }));
      await canvas.findByText('Renders: 3');
    });
    await step('each endpoint is one object', () =>
      expect(titlesOf(canvas)).toEqual([
        'useGet: 1',
        'useGetList: 1',
        'push: 1',
        'unshift: 1',
        'getPage: 1',
        'useUpdate: 1',
        'usePartialUpdate: 1',
        'useDelete: 1',
      ]),
    );
    await hasSent('no request', []);
  },
};

interface RowProps {
  article: Article;
  rename: ReturnType<typeof ArticleResource.usePartialUpdate>;
}

const Row = memo(function Row({ article, rename }: RowProps) {
  const controller = useController();
  useEffect(() => rowRenders.add());
  return (
    <li>
      {article.title}{' '}
      <button type="button" onClick={() => void controller.fetch(rename, { id: article.id }, { title: 'On knocking' })}>
        {`Rename ${article.id}`}
      </button>
    </li>
  );
});

function MemoList() {
  const [renders, setRenders] = useState(1);
  const articles = useSuspense(ArticleResource.useGetList());
  const rename = ArticleResource.usePartialUpdate();
  return (
    <>
      <button type="button" onClick={() => setRenders(renders + 1)}>
        Render the list again
      </button>
      <p>{`List renders: ${renders}`}</p>
      <RenderCounter label="Row renders" counter={rowRenders} />
      <ul>
        {articles.map(article => (
          <Row key={article.id} article={article} rename={rename} />
        ))}
      </ul>
    </>
  );
}

/** Stable endpoints keep `React.memo` working: rows with an endpoint as prop render when their record changes, and not when their list does. */
export const MemoRowsStayStill: Story = {
  render: () => <MemoList />,
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees four rows, each rendered once', async () => {
      await canvas.findByText('Row renders: 4');
    });
    await step('the list renders twice more, the rows do not', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Render the list again' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Render the list again' }));
      await canvas.findByText('List renders: 3');
      await expect(canvas.getByText(/^Row renders/)).toHaveTextContent(/^Row renders: 4$/);
    });
    await step('one article is renamed: its row renders, the three others do not', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename 1' }));
      await canvas.findByText('On knocking');
      await waitFor(() => expect(canvas.getByText(/^Row renders/)).toHaveTextContent(/^Row renders: 5$/));
    });
    await hasSent('one GET, one PATCH', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
    ]);
  },
};

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
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent(
      'each request carries the value of its render',
      [
        sent.get('/article/1').as('ada').headers({ 'accept-language': 'en' }),
        sent.get('/article/1').as('ada').headers({ 'accept-language': 'fr' }),
      ],
      { headers: ['accept-language'] },
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
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees the article', async () => {
      await canvas.findByText('On signing in');
    });
    await hasSent(
      'the header that both set has the hook’s value; the other settings of both are sent',
      [sent.get('/article/1').credentials('omit').as('ada').headers({ 'x-client': 'the hook', 'x-trace': 'kept' })],
      {
        headers: ['x-client', 'x-trace'],
      },
    );
  },
};

const HeadersResource = hookifyResource(source, () => ({ headers: new Headers({ 'Access-Token': 'ada-1' }) }));
const TuplesResource = hookifyResource(source, () => ({
  headers: [
    ['Access-Token', 'ada-1'],
    ['Content-Type', 'application/merge-patch+json'],
  ],
}));

const writesWith = ({ usePartialUpdate }: typeof HeadersResource, type: string): Story => ({
  render: function Write() {
    return <RenameFirst by={usePartialUpdate()} />;
  },
  play: async ({ canvas, journal }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
    await canvas.findByText('Now called On knocking');
    const line = sent.patch('/article/1').as('ada').headers({ 'content-type': type }).json({ title: 'On knocking' });
    await expect(journal).toHaveSent([line], { headers: ['content-type'] });
  },
});

/** The field `headers` of the request settings may be a `Headers` instance or tuples. A `Content-Type` takes the place of the default, which is JSON. */
export const HeadersInstance: Story = inCases({
  'a `Headers` instance is sent beside the default type': writesWith(HeadersResource, 'application/json'),
  'tuples are sent, with the type that they name': writesWith(TuplesResource, 'application/merge-patch+json'),
});

class File extends Entity {
  id = '';
}

const FileResource = hookifyResource(resource({ urlPrefix: api, path: '/:owner/*file', schema: File }), useAda);

function Detail({ params }: { params: { id?: string | undefined } | null }) {
  // Typed code cannot ask without the id; data that came from elsewhere can.
  const article = useSuspense(ArticleResource.useGet(), params as { id: string });
  return <p>{article.title}</p>;
}

const missing =
  /^400: GET \/article\/:id needs a value for `id`, but got undefined\. Pass \{ id: … \}, or null to wait until it is known\.$/;
const empty =
  /^400: GET \/article\/:id needs a value for `id`, but got an empty string\. Pass \{ id: … \}, or null to wait until it is known\.$/;

function BadCalls() {
  const controller = useController();
  const partialUpdate = ArticleResource.usePartialUpdate();
  const remove = ArticleResource.useDelete();
  const get = FileResource.useGet();
  const getList = FileResource.useGetList();
  const calls = {
    'Rename nothing': () => controller.fetch(partialUpdate, {} as { id: string }, { title: 'On knocking' }),
    'Delete nothing': () => controller.fetch(remove, { id: '' }),
    'Read no file': () => controller.fetch(get, { owner: 'ada', file: [] }),
    'Read no segment': () => controller.fetch(get, { owner: 'ada', file: ['notes', ''] }),
    'List of nobody': () => controller.fetch(getList, { owner: '' }),
  };
  return Object.entries(calls).map(([label, call]) => (
    <ActionButton key={label} label={label} act={async () => (await call(), label)} />
  ));
}

/**
 * The table says “one value per `:param`”: without the value, or with an empty text, the address would be another one, as a DELETE of the list,
 * so nothing is sent, and a sentence says what is missing. A `*wildcard` needs at least one segment, and no segment may be empty.
 */
export const MissingParam: Story = {
  parameters: { expectedConsoleErrors: [/^MissingParamError: GET \/article\/:id needs a value for `id`/] },
  render: () => (
    <>
      {[{}, { id: '' }].map((params, index) => (
        <PlainStore key={index}>
          <Detail params={params} />
        </PlainStore>
      ))}
      <BadCalls />
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the boundaries of two reads show which param is missing', async () => {
      const [first, second] = await canvas.findAllByRole('alert');
      await expect(first).toHaveTextContent(missing);
      await expect(second).toHaveTextContent(empty);
    });
    await step('the writer and the reader see what is missing, for each call', async () => {
      for (const button of canvas.getAllByRole('button')) await userEvent.click(button);
      await waitFor(() =>
        expect(canvas.getAllByText(/^MissingParamError/).map(({ textContent }) => textContent?.split('. ')[0])).toEqual(
          [
            'MissingParamError: PATCH /article/:id needs a value for `id`, but got undefined',
            'MissingParamError: DELETE /article/:id needs a value for `id`, but got an empty string',
            ...Array<unknown>(2).fill(expect.stringMatching(/GET \/:owner\/\*file needs a value for `file`/)),
            'MissingParamError: GET /:owner needs a value for `owner`, but got an empty string',
          ],
        ),
      );
    });
    await hasSent('no request', []);
  },
};

function Later() {
  const [id, setId] = useState<string>();
  const article = useSuspense(ArticleResource.useGet(), id === undefined ? null : { id });
  return (
    <>
      <p>{article?.title ?? 'Nothing chosen'}</p>
      <button type="button" onClick={() => setId('1')}>
        Choose the first
      </button>
    </>
  );
}

/** With `null` for the params, nothing is fetched until they are known, as the error message says. */
export const NullWaits: Story = {
  render: () => <Later />,
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader has not chosen an article', async () => {
      await canvas.findByText('Nothing chosen');
    });
    await step('the reader chooses an article, and sees it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Choose the first' }));
      await canvas.findByText('On signing in');
    });
    await hasSent('one GET, after the choice', [sent.get('/article/1').as('ada')]);
  },
};

const outside =
  'was called outside a render. Call it in a component or hook, keep the endpoint it returns, and use that in handlers and effects.';

function InAnEffect() {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    try {
      // The mistake that this story shows.
      ArticleResource.useDelete();
    } catch (error) {
      sentence.current?.append((error as Error).message);
    }
  }, []);
  return <p ref={sentence} />;
}

function InHandlers() {
  const controller = useController();
  return (
    <>
      {/* The mistakes that this story shows. */}
      <ActionButton label="Ask for an endpoint" act={async () => ArticleResource.useGet().path} />
      <ActionButton
        label="Rename"
        act={async () =>
          (await controller.fetch(ArticleResource.usePartialUpdate(), { id: '1' }, { title: 'On knocking' })).title
        }
      />
    </>
  );
}

/**
 * Rule 10: a hook may be called in a render only, “this includes creating endpoints for `Controller.fetch` calls”, so not in an effect or a
 * handler. The error names the hook and the remedy.
 */
export const HookOutsideARender: Story = {
  render: () => (
    <>
      <InAnEffect />
      <InHandlers />
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the error messages are shown', async () => {
      await canvas.findByText(`useDelete() ${outside}`);
      await userEvent.click(canvas.getByRole('button', { name: 'Ask for an endpoint' }));
      await canvas.findByText(`Error: useGet() ${outside}`);
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText(`Error: usePartialUpdate() ${outside}`);
    });
    await hasSent('no request', []);
  },
};
