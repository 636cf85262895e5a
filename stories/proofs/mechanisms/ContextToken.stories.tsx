import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { TokenContext } from '../../mechanisms/shown/TokenContext.js';
import { PlainStore } from '../../support/PlainStore.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupArticleApi } from '../../support/setupRestApi.js';
import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import { memo, useEffect, useState, type ReactNode } from 'react';
import { ContextArticleResource } from '../../mechanisms/shown/ContextArticleResource.js';
import { ContextTokenEndpoint } from '../../mechanisms/shown/ContextTokenEndpoint.js';
import { useTokenEndpoint } from '../../mechanisms/shown/useTokenEndpoint.js';
import { articlesBy, RenameFirst } from '../../support/PlainArticles.js';
import { useCountOf } from '../../support/useCountOf.js';
import { ContextTokenProvider, type HookResource } from '../../../src/index.js';
import { articleHooks, type Article, type articleResource } from '../../support/articles.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { inCases } from '../../support/inCases.js';

const app = setupArticleApi();
const { sent } = app;
const contextRows = createCounter();
const providerRows = createCounter();

/** Proves the third mechanism of data-client's guide, a token from a context. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: context => {
    contextRows.reset();
    providerRows.reset();
    return app.start(context);
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Holds a token in state, and has a button that gets a new token of the same user. */
function WithToken({ children }: { children: (accessToken: string) => ReactNode }) {
  const [accessToken, setAccessToken] = useState('ada-1');
  return (
    <>
      <button type="button" onClick={() => setAccessToken(app.server.signIn('ada').accessToken)}>
        New token
      </button>
      {children(accessToken)}
    </>
  );
}

/** Ada's article by the hooks of `hookifyResource`. */
function Hookified() {
  return (
    <>
      <p>{useSuspense(ContextArticleResource.useGet(), { id: '1' }).title}</p>
      <RenameFirst by={ContextArticleResource.usePartialUpdate()} />
    </>
  );
}

const ArticleResource = articlesBy(ContextTokenEndpoint);

/** Ada's article by endpoints that a hook extends with the token. */
function Extended() {
  const [renders, setRenders] = useState(1);
  const article = useSuspense(useTokenEndpoint(ArticleResource.get), { id: '1' });
  const partialUpdate = useTokenEndpoint(ArticleResource.partialUpdate);
  const endpoints = useCountOf(partialUpdate);
  return (
    <>
      <p>{article.title}</p>
      <p>{`Endpoints so far: ${endpoints}`}</p>
      <button type="button" onClick={() => setRenders(renders + 1)}>
        {`Rendered ${renders}`}
      </button>
      <RenameFirst by={partialUpdate} />
    </>
  );
}

const SENT = [sent.get('/article/1').as('ada'), sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' })];

const withToken = (children: ReactNode) => (
  <PlainStore>
    <WithToken>
      {accessToken => <TokenContext.Provider value={accessToken}>{children}</TokenContext.Provider>}
    </WithToken>
  </PlainStore>
);

const contextTokenByHookifyResource: Story = {
  render: () => withToken(<Hookified />),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her article', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the context gets a new token, and she renames it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'New token' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
    });
    await hasSent('two requests', SENT);
  },
};

const contextTokenByExtend: Story = {
  render: () => withToken(<Extended />),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her article', async () => {
      await canvas.findByText('On signing in');
    });
    await step('a new render makes no new endpoint', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rendered 1' }));
      await canvas.findByRole('button', { name: 'Rendered 2' });
      await expect(canvas.getByText(/^Endpoints so far/)).toHaveTextContent(/^Endpoints so far: 1$/);
    });
    await step('a new token makes a new endpoint, and she renames the article with it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'New token' }));
      await canvas.findByText('Endpoints so far: 2');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
    });
    await hasSent('two requests', SENT);
  },
};

/** Each request carries the token of its render, and nothing is read twice. */
export const ContextTokenOfARender: Story = inCases({
  'with `hookifyResource`: its `useInit` reads the context': contextTokenByHookifyResource,
  'without: a hook calls `endpoint.extend({ accessToken })`, memoized on both, for `Controller.fetch`':
    contextTokenByExtend,
});

/** The user is signed out: neither way sends the header, not even an empty one, and the server answers 401. */
export const SignedOutAtTheSdk: Story = {
  parameters: {
    expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/],
  },
  render: () => (
    <>
      <PlainStore>
        <Hookified />
      </PlainStore>
      <PlainStore>
        <Extended />
      </PlainStore>
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the server refuses both', () =>
      waitFor(() => expect(canvas.getAllByText(/^401: (\S+: )?Unauthorized$/)).toHaveLength(2)),
    );
    await hasSent('two GETs without the header', [sent.get('/article/1'), sent.get('/article/1')]);
  },
};

const KitResource = articleHooks();

interface RowsProps {
  articles: HookResource<ReturnType<typeof articleResource>>;
  counter: ReturnType<typeof createCounter>;
}

const Row = memo(function Row({ articles, article, counter }: RowsProps & { article: Article }) {
  const controller = useController();
  const partialUpdate = articles.usePartialUpdate();
  useEffect(() => counter.add());
  return (
    <li>
      {article.title}{' '}
      <button
        type="button"
        onClick={() => void controller.fetch(partialUpdate, { id: article.id }, { title: 'On knocking' })}
      >
        {`Rename ${article.id}`}
      </button>
    </li>
  );
});

const Rows = memo(function Rows(props: RowsProps) {
  return (
    <ul>
      {useSuspense(props.articles.useGetList()).map(article => (
        <Row key={article.id} article={article} {...props} />
      ))}
    </ul>
  );
});

interface TokenRowsProps {
  accessToken: string;
  /** Counts the renders of the rows. */
  counter: ReturnType<typeof createCounter>;
}

/** Rows that read the token from a context. */
function RowsBelowContext({ accessToken, counter }: TokenRowsProps) {
  return (
    <TokenContext.Provider value={accessToken}>
      <PlainStore>
        <Rows articles={ContextArticleResource} counter={counter} />
      </PlainStore>
    </TokenContext.Provider>
  );
}

/** The same rows, whose endpoints have the session of the kit's provider. */
function RowsBelowProvider({ accessToken, counter }: TokenRowsProps) {
  return (
    <ContextTokenProvider token={accessToken} subject="ada">
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <Rows articles={KitResource} counter={counter} />
      </AsyncBoundary>
    </ContextTokenProvider>
  );
}

/**
 * “Keeping non-displayed state such as tokens in a context is discouraged. It causes extra re-renders.” Below such a
 * context, a new token renders every row that can write. Below the kit's provider the endpoint reads the token when
 * it sends, so a new token renders no row, and is sent all the same.
 */
export const TheCostOfAContext: Story = {
  render: () => (
    <WithToken>
      {accessToken => (
        <>
          <section aria-label="Token in a context">
            <RenderCounter label="Row renders with a context" counter={contextRows} />
            <RowsBelowContext accessToken={accessToken} counter={contextRows} />
          </section>
          <section aria-label="Token in a session">
            <RenderCounter label="Row renders with ContextTokenProvider" counter={providerRows} />
            <RowsBelowProvider accessToken={accessToken} counter={providerRows} />
          </section>
        </>
      )}
    </WithToken>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees four rows on either side, each rendered once', async () => {
      await canvas.findByText('Row renders with a context: 4');
      await canvas.findByText('Row renders with ContextTokenProvider: 4');
    });
    await step('a new token renders the four rows below the context again, and none below the provider', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'New token' }));
      await canvas.findByText('Row renders with a context: 8');
      await expect(canvas.getByText(/^Row renders with ContextTokenProvider/)).toHaveTextContent(/: 4$/);
    });
    await step('she renames an article on either side', async () => {
      for (const button of canvas.getAllByRole('button', { name: 'Rename 1' })) await userEvent.click(button);
      await waitFor(() => expect(canvas.getAllByText('On knocking')).toHaveLength(2));
    });
    await hasSent('both lists are read with the old token, and both writes are sent with the new one', [
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
    ]);
  },
};
