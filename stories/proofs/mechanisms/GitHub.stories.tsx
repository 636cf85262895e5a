import repository from '@octokit/fixtures/scenarios/api.github.com/get-repository/normalized-fixture.json';
import issues from '@octokit/fixtures/scenarios/api.github.com/paginate-issues/normalized-fixture.json';
import search from '@octokit/fixtures/scenarios/api.github.com/search-issues/normalized-fixture.json';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import { PaginatedList, ResourceDetail, ResourceList } from '../../../src/entries/widgets.js';
import { FoundIssues, Issues, recordedToken, Repositories, start } from '../../support/github.js';
import { replayFixture } from '../../support/replayFixture.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { GitHubPage, owner, sent } from './GitHubPage.js';

const theIssues = (
  <PaginatedList
    resource={Issues}
    params={{ owner, repo: 'paginate-issues', per_page: 3 }}
    label="Issues"
    renderItem={issue => `#${issue.number} ${issue.title}`}
  />
);

/**
 * Real traffic: GitHub's recorded answers, browsed through the kit's widgets. The server of these stories checks each request against
 * the one that was recorded: its address, its `Authorization`, its media type and its body.
 */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: start(recordedToken),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The user pastes a personal access token. GitHub refuses the first one, which ends the session and shows the form again. */
export const GitHubSignIn: Story = {
  beforeEach: [
    start(),
    ({ msw }) => {
      msw.use(...replayFixture(repository));
    },
  ],
  render: () => (
    <GitHubPage>
      <ResourceDetail
        resource={Repositories}
        params={{ owner, repo: 'hello-world' }}
        label="Repository"
        renderItem={repo => <p>{`${repo.full_name}, ${repo.default_branch}`}</p>}
      />
    </GitHubPage>
  ),
  play: async ({ canvas, step, journal }) => {
    const paste = async (token: string) => {
      await userEvent.type(await canvas.findByLabelText('Personal access token'), token);
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
    };
    await step('GitHub does not know the token, and the form comes back', async () => {
      await paste('mistyped');
      await canvas.findByText('Your session has ended. Sign in to continue.');
      await expect(canvas.getByText('anonymous: expired')).toBeInTheDocument();
    });
    await step('the right one shows the repository', async () => {
      await paste(recordedToken);
      await canvas.findByText('octokit-fixture-org/hello-world, master');
    });
    await step(
      'the unknown token is tried once more after a second, for GitHub may have many machines; each has the word “token” before it',
      () =>
        expect(journal).toHaveSent(
          ['mistyped', 'mistyped', recordedToken].map(token =>
            sent
              .get('/repos/octokit-fixture-org/hello-world')
              .as(token)
              .headers({ accept: 'application/vnd.github.v3+json' }),
          ),
          { headers: ['accept'] },
        ),
    );
  },
};

/** Thirteen issues on five pages: the `Link` header of each page has the address of the next one. */
export const GitHubPagesOfIssues: Story = {
  beforeEach: ({ msw }) => {
    msw.use(
      ...replayFixture(issues, { sameAs: { '/repositories/1000': '/repos/octokit-fixture-org/paginate-issues' } }),
    );
  },
  render: () => <GitHubPage>{theIssues}</GitHubPage>,
  play: async ({ canvas, step, journal }) => {
    await step('the user sees the newest three', async () => {
      await canvas.findByText('#13 Test issue 13');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(3);
    });
    await step('she loads more until all are there', async () => {
      for (const loaded of [6, 9, 12]) {
        await userEvent.click(await canvas.findByRole('button', { name: 'Load more' }));
        // The rows are there a moment earlier; a press in that moment counts as a second press for this page.
        await canvas.findByText(`3 more loaded, ${loaded} in all.`);
        await expect(canvas.getAllByRole('listitem')).toHaveLength(loaded);
      }
      await userEvent.click(await canvas.findByRole('button', { name: 'Load more' }));
      await canvas.findByText('All 13 loaded.');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(13);
      await expect(canvas.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
      await expect(canvas.getByText('#1 Test issue 1')).toBeInTheDocument();
    });
    await step('five pages, each read once', () =>
      expect(journal).toHaveSent([
        sent.get('/repos/octokit-fixture-org/paginate-issues/issues?per_page=3').as(recordedToken),
        ...[2, 3, 4, 5].map(page =>
          sent.get(`/repos/octokit-fixture-org/paginate-issues/issues?page=${page}&per_page=3`).as(recordedToken),
        ),
      ]),
    );
  },
};

function Search() {
  const [q, setQ] = useState('');
  const [asked, ask] = useState<string>();
  return (
    <>
      <form
        onSubmit={event => {
          event.preventDefault();
          ask(q);
        }}
      >
        <label>
          Search issues <input value={q} onChange={event => setQ(event.target.value)} />
        </label>
        <button type="submit">Search</button>
      </form>
      {asked && (
        <ResourceList
          resource={FoundIssues}
          params={{ q: asked }}
          label="Found"
          renderItem={issue => `#${issue.number} ${issue.title}, by ${issue.user.login}`}
        />
      )}
    </>
  );
}

/** A search whose answer holds the rows in a field: `ResourceList` finds them there. */
export const GitHubSearchOfIssues: Story = {
  beforeEach: ({ msw }) => {
    msw.use(...replayFixture(search));
  },
  render: () => (
    <GitHubPage>
      <Search />
    </GitHubPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the user searches a repository for “sesame”', async () => {
      await userEvent.type(
        await canvas.findByLabelText('Search issues'),
        'sesame repo:octokit-fixture-org/search-issues',
      );
      await userEvent.click(canvas.getByRole('button', { name: 'Search' }));
      await canvas.findByText('#2 Sesame seeds split without a pop!, by octokit-fixture-user-b');
      await expect(canvas.getByText('#1 The doors don’t open, by octokit-fixture-user-a')).toBeInTheDocument();
    });
    await step('one search', () =>
      expect(journal).toHaveSent([
        sent.get('/search/issues?q=sesame+repo%3Aoctokit-fixture-org%2Fsearch-issues').as(recordedToken),
      ]),
    );
  },
};
