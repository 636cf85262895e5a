import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, waitFor } from 'storybook/test';
import { RestEndpoint } from '../../../src/index.js';
import { Can, permissions } from '../../../src/entries/permissions.js';
import { ResourceList } from '../../../src/entries/widgets.js';
import { manyArticles } from '../../support/manyArticles.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';
import { inCases } from '../../support/inCases.js';

const app = setupWidgetApp({
  rows: manyArticles(3).rows,
  profile: new RestEndpoint({ urlPrefix: ownApi, path: '/me' }),
});
const { sent } = app;

/** No request: the page knows from the user that a reader may not delete. */
const can = permissions({ fromUser: (_, user: { role?: string } | undefined) => user?.role !== 'reader' });

function Page() {
  return (
    <app.Provider can={can}>
      <ResourceList
        resource={app.Articles}
        label="Articles"
        renderItem={(article, { remove }) => (
          <>
            {article.title}{' '}
            <Can action="delete" on={article}>
              <button type="button" onClick={() => void remove().catch(() => undefined)}>
                Delete {article.title}
              </button>
            </Can>
          </>
        )}
      />
    </app.Provider>
  );
}

/** Answers from the user alone. Where the server refuses what they allow, the user has changed. */
const meta = {
  title: 'Proofs/Permissions',
  tags: ['proof', '!autodocs'],
  component: Page,
  parameters: { ...requestsOnly, cookies: app.cookies },
  beforeEach: app.start('ada'),
} satisfies Meta<typeof Page>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Ada is a reader now: two deletions are refused, and the user is loaded once. Then no button is left. */
function loadsTheUserOnce(mechanism: Mechanism): Story {
  const loads = mechanism === 'cookie' ? sent.get('/whoami') : linesUnder[mechanism].read(sent.get('/me'), 'ada');
  return {
    globals: { mechanism },
    play: async ({ canvas, step, journal, msw }) => {
      await canvas.findByText('Delete Article 3');
      await step('she becomes a reader, and presses two buttons', async () => {
        const reader = () => HttpResponse.json({ id: 'ada', name: 'Ada Lovelace', role: 'reader' });
        msw.use(
          http.get(`${ownApi}/whoami`, reader),
          http.get(`${ownApi}/me`, reader),
          http.delete(`${ownApi}/article/:id`, () => HttpResponse.json({}, { status: 403 })),
        );
        canvas.getByText('Delete Article 1').click();
        canvas.getByText('Delete Article 2').click();
      });
      await step('no button is left, also of the row that was not pressed', async () => {
        await waitFor(() => expect(canvas.queryByText(/^Delete/)).not.toBeInTheDocument());
        await expect(canvas.getAllByText('You do not have access to this.')).toHaveLength(2);
        await expect(canvas.getAllByRole('listitem')).toHaveLength(3);
      });
      await step('two DELETEs, and the user once', async () => {
        const deletion = (id: number) => linesUnder[mechanism].write(sent.delete(`/article/${id}`), 'ada');
        await expect(journal).toHaveSent([
          ...linesUnder[mechanism].restores,
          linesUnder[mechanism].read(sent.get('/article'), 'ada'),
          deletion(1),
          deletion(2),
          loads,
        ]);
      });
    },
  };
}

/** Refused twice, the page asks once who the user is, and follows what the answer permits. */
export const LoadsTheUserOnce: Story = inCases({
  'by `profile`': loadsTheUserOnce('token'),
  'by `whoami`': loadsTheUserOnce('cookie'),
  'by `profile`, with the token of an SDK': loadsTheUserOnce('context'),
});
