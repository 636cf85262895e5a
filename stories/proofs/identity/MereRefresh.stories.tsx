import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { memo, useEffect, useRef, type ReactNode } from 'react';
import { expect, userEvent } from 'storybook/test';
import { useAuth } from '../../../src/index.js';
import type { RequestJournal, RequestLine } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { articleHooks, type Article, type ArticleRow } from '../../support/articles.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { setupCookieApp, ownApi } from '../../support/setupCookieApp.js';
import { Refusal } from '../../support/ArticlesDemo.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { RequestLog } from '../../support/RequestLog.js';
import type { Mechanism } from '../../support/setupWidgetApp.js';
import { withCredential } from '../../support/withCredential.js';
import { requestsOnly } from '../../support/requestsOnly.js';

/** Shows the signed-in user, by the id that every mechanism knows. */
function Holder() {
  const { user } = useAuth();
  const { id, subject } = (user ?? {}) as { id?: string; subject?: string };
  return <p role="status">{`Signed in: ${id ?? subject ?? 'nobody'}`}</p>;
}

/** A refresh of the credential changes nothing on the screen. The counts are above the page. */
const meta = {
  title: 'Proofs/Identity',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const thousand: ArticleRow[] = Array.from({ length: 1_000 }, (_, index) => ({
  id: `${index + 1}`,
  title: `Article ${index + 1}`,
  content: '',
  author: 'ada',
}));
const tokens = setupTokenApp({ url: ownApi, rows: thousand });
const { sent } = tokens;
const cookies = setupCookieApp({ rows: thousand });
const contexts = setupContextApp({ url: ownApi, rows: thousand });
const Articles = articleHooks(ownApi);
const listRenders = createCounter();
const renders = createCounter();
const suspensions = createCounter();

/** One of a thousand rows; counts its renders. */
const Row = memo(function Row({ article }: { article: Article }) {
  useEffect(() => renders.add());
  return <li>{article.title}</li>;
});

/** The fallback of the list; counts how often it was mounted. */
function Suspended() {
  useEffect(() => suspensions.add(), []);
  return <p>Fetching…</p>;
}

/** A thousand rows, and a function of the first render that renames the last article. */
function Thousand() {
  const controller = useController();
  const partialUpdate = Articles.usePartialUpdate();
  const list = useSuspense(Articles.useGetList());
  const rename = () => void controller.fetch(partialUpdate, { id: '1000' }, { title: 'On knocking' });
  const captured = useRef(rename);
  useEffect(() => listRenders.add());
  return (
    <>
      <button type="button" onClick={() => captured.current()}>
        Rename as captured
      </button>
      <ul style={{ columns: 8, fontSize: '0.75rem' }}>
        {list.map(article => (
          <Row key={article.id} article={article} />
        ))}
      </ul>
    </>
  );
}

interface StillProps {
  journal: RequestJournal;
  /** Gets a new credential of the same user. */
  refresh: () => unknown;
  Provider: (props: { children: ReactNode }) => ReactNode;
}

/** The counts, a thousand rows, and a button that refreshes. */
function Still({ journal, refresh, Provider }: StillProps) {
  return (
    <>
      <RequestLog journal={journal} />
      <RenderCounter label="List rendered" counter={listRenders} />
      <RenderCounter label="Rows rendered" counter={renders} />
      <RenderCounter label="Suspended" counter={suspensions} />
      <ActionButton
        label="Refresh"
        act={async () => {
          await refresh();
          return 'Refreshed';
        }}
      />
      <Provider>
        <Holder />
        <AsyncBoundary fallback={<Suspended />} errorComponent={Refusal}>
          <Thousand />
        </AsyncBoundary>
      </Provider>
    </>
  );
}

interface Stood {
  asked?: RequestLine[];
  refreshed?: RequestLine[];
  mechanism: Mechanism;
}

/** A refresh that renders nothing, and one write with the new credential. */
function staysStill({ asked = [], refreshed = [], mechanism }: Stood): NonNullable<Story['play']> {
  return async ({ canvas, step, journal }) => {
    await step('Ada sees a thousand rows, each rendered once', async () => {
      await canvas.findByText('Rows rendered: 1000', undefined, { timeout: 5_000 });
      await expect(canvas.getByText('Suspended: 1')).toBeInTheDocument();
    });
    await step('her credential is refreshed: nothing renders, and nothing suspends', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
      await canvas.findByText('Refreshed');
      await expect(canvas.getByText('List rendered: 1')).toBeInTheDocument();
      await expect(canvas.getByText('Rows rendered: 1000')).toBeInTheDocument();
      await expect(canvas.getByText('Suspended: 1')).toBeInTheDocument();
    });
    await step(
      'a function of the first render sends the new credential; the list and the renamed row render, the other rows do not',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Rename as captured' }));
        await canvas.findByText('On knocking', undefined, { timeout: 5_000 });
        await canvas.findByText('Rows rendered: 1001');
        await canvas.findByText('List rendered: 2');
        await expect(canvas.getByText('Suspended: 1')).toBeInTheDocument();
      },
    );
    await step('the list is read once', () =>
      expect(journal).toHaveSent([
        ...asked,
        withCredential[mechanism].read(sent.get('/article'), 'ada'),
        ...refreshed,
        withCredential[mechanism].write(sent.patch('/article/1000'), 'ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  };
}

const freshCounts = () => {
  listRenders.reset();
  renders.reset();
  suspensions.reset();
};

/** An access token is refreshed. */
export const MereRefreshOfAToken: Story = {
  beforeEach: [tokens.start('ada'), freshCounts],
  render: (_, { journal }) => <Still journal={journal} Provider={tokens.Provider} refresh={tokens.session.refresh} />,
  play: staysStill({
    refreshed: [sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' })],
    mechanism: 'token',
  }),
};

/** A CSRF token is fetched; the cookie itself stays. */
export const MereRefreshOfACsrfToken: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [cookies.start('ada'), freshCounts],
  render: (_, { journal }) => (
    <Still
      journal={journal}
      Provider={cookies.Provider}
      refresh={() => {
        cookies.server.expireCsrf();
        return cookies.session.refresh();
      }}
    />
  ),
  play: staysStill({
    asked: [sent.get('/whoami')],
    refreshed: [sent.get('/csrf')],
    mechanism: 'cookie',
  }),
};

/** An SDK refreshes its token on its own. */
export const MereRefreshByAnSdk: Story = {
  beforeEach: [contexts.start('ada'), freshCounts],
  render: (_, { journal }) => <Still journal={journal} Provider={contexts.Provider} refresh={contexts.sdk.renew} />,
  play: staysStill({ mechanism: 'context' }),
};
