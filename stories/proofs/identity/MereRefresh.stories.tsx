import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { memo, useEffect, useRef } from 'react';
import { expect, userEvent } from 'storybook/test';
import { ActionButton } from '../../support/ActionButton.js';
import { Refusal } from '../../support/ArticlesDemo.js';
import { articleHooks, type Article, type ArticleRow } from '../../support/articles.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { RequestLog } from '../../support/RequestLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupAppsByMechanism, type MechanismApp } from '../../support/setupAppsByMechanism.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { inCases } from '../../support/inCases.js';

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
const apps = setupAppsByMechanism({ rows: thousand });
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

const freshCounts = () => {
  listRenders.reset();
  renders.reset();
  suspensions.reset();
};

/** A refresh that renders nothing, and one write with the new credential. `refresh` gets another credential of the same user. */
function staysStill(app: MechanismApp, refresh: () => unknown): Story {
  const { Provider, read, sent, write } = app;
  const play: Story['play'] = async ({ canvas, step, hasSent }) => {
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
    await hasSent('the list is read once', [
      ...app.restores,
      read(sent.get('/article'), 'ada'),
      // With the fresh CSRF token, the session asks once who is signed in.
      ...[...app.refreshes, ...app.restores],
      write(sent.patch('/article/1000'), 'ada', 2).json({ title: 'On knocking' }),
    ]);
  };
  return {
    parameters: { cookies: app.cookies },
    beforeEach: [app.start('ada'), freshCounts],
    render: (_, { journal }) => (
      <>
        <RequestLog journal={journal} />
        <RenderCounter label="List rendered" counter={listRenders} />
        <RenderCounter label="Rows rendered" counter={renders} />
        <RenderCounter label="Suspended" counter={suspensions} />
        <ActionButton label="Refresh" act={async () => (await refresh(), 'Refreshed')} />
        <Provider>
          <AsyncBoundary fallback={<Suspended />} errorComponent={Refusal}>
            <Thousand />
          </AsyncBoundary>
        </Provider>
      </>
    ),
    play,
  };
}

/** The credential is refreshed: nothing renders and nothing suspends, and one write carries the new one. */
export const MereRefresh: Story = inCases({
  'an access token is refreshed': staysStill(apps.token, apps.token.session.refresh),
  'a CSRF token is fetched; the cookie itself stays': staysStill(apps.cookie, () => {
    apps.cookie.expire();
    return apps.cookie.session.refresh();
  }),
  'an SDK refreshes its token on its own': staysStill(apps.context, apps.context.sdk.renew),
});
