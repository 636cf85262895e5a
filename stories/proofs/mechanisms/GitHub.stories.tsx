import errors from '@octokit/fixtures/scenarios/api.github.com/errors/normalized-fixture.json';
import repository from '@octokit/fixtures/scenarios/api.github.com/get-repository/normalized-fixture.json';
import labels from '@octokit/fixtures/scenarios/api.github.com/labels/normalized-fixture.json';
import issues from '@octokit/fixtures/scenarios/api.github.com/paginate-issues/normalized-fixture.json';
import search from '@octokit/fixtures/scenarios/api.github.com/search-issues/normalized-fixture.json';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ReactNode } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import {
  Authenticated,
  LoginForm,
  PaginatedList,
  ResourceDetail,
  ResourceForm,
  ResourceList,
  TokenAuthProvider,
} from '../../../src/index.js';
import { requestLines } from '../../../src/testing/index.js';
import { AuthStatus } from '../../support/ArticlesDemo.js';
import { FoundIssues, Issues, Labels, recordedToken, Repositories, session, start } from '../../support/github.js';
import { replayFixture } from '../../support/replayFixture.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const sent = requestLines({
  prefix: 'https://api.github.com',
  as: token => ({ Authorization: `token ${token}` }),
});

const owner = 'octokit-fixture-org';

function GitHub({ children }: { children: ReactNode }) {
  return (
    <TokenAuthProvider session={session}>
      <AuthStatus />
      <Authenticated
        fallback={
          <LoginForm fields={[{ name: 'token', label: 'Personal access token', type: 'password', required: true }]} />
        }
      >
        {children}
      </Authenticated>
    </TokenAuthProvider>
  );
}

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
    <GitHub>
      <ResourceDetail
        resource={Repositories}
        params={{ owner, repo: 'hello-world' }}
        label="Repository"
        renderItem={repo => <p>{`${repo.full_name}, ${repo.default_branch}`}</p>}
      />
    </GitHub>
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
    await step('two requests, each with the word “token” before the token', () =>
      expect(journal).toHaveSent(
        [
          sent
            .get('/repos/octokit-fixture-org/hello-world')
            .as('mistyped')
            .headers({ accept: 'application/vnd.github.v3+json' }),
          sent
            .get('/repos/octokit-fixture-org/hello-world')
            .as(recordedToken)
            .headers({ accept: 'application/vnd.github.v3+json' }),
        ],
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
  render: () => <GitHub>{theIssues}</GitHub>,
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
    <GitHub>
      <Search />
    </GitHub>
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

/** The labels of one repository. */
function LabelList() {
  return (
    <ResourceList
      resource={Labels}
      params={{ owner, repo: 'labels' }}
      label="Labels"
      create="push"
      fields={[
        { name: 'name', label: 'Name', required: true },
        { name: 'color', label: 'Colour', required: true },
      ]}
      renderItem={(label, { partialUpdate, remove }) => (
        <>
          {`${label.name} (${label.color}) `}
          <button
            type="button"
            onClick={() => void partialUpdate({ new_name: `${label.name}-updated`, color: 'BADA55' })}
          >
            Rename {label.name}
          </button>{' '}
          {/* The address names the label by its name, the store by its id: the row knows both. */}
          <button type="button" onClick={() => void remove()}>
            Delete {label.name}
          </button>
        </>
      )}
    />
  );
}

/** A repository's labels: one is created, renamed and deleted, with the bodies that were recorded. */
export const GitHubLabelsOfARepository: Story = {
  beforeEach: ({ msw }) => {
    msw.use(...replayFixture(labels));
  },
  render: () => (
    <GitHub>
      <LabelList />
    </GitHub>
  ),
  play: async ({ canvas, step, journal }) => {
    const list = within(await canvas.findByRole('region', { name: 'Labels' }));
    await step('the user sees the labels of a new repository', async () => {
      await list.findByText(/^bug \(d73a4a\)/);
      await expect(list.getAllByRole('listitem')).toHaveLength(9);
    });
    await step('she creates one', async () => {
      await userEvent.type(list.getByLabelText('Name'), 'test-label');
      await userEvent.type(list.getByLabelText('Colour'), '663399');
      await userEvent.click(list.getByRole('button', { name: 'Create' }));
      await list.findByText(/^test-label \(663399\)/);
    });
    await step('she renames it', async () => {
      await userEvent.click(list.getByRole('button', { name: 'Rename test-label' }));
      await list.findByText(/^test-label-updated \(BADA55\)/);
    });
    await step('she deletes it, and it leaves the list, which is not read again', async () => {
      await userEvent.click(list.getByRole('button', { name: 'Delete test-label-updated' }));
      await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(9));
      await expect(list.queryByText(/^test-label/)).not.toBeInTheDocument();
    });
    await step('four requests, with the recorded bodies', () =>
      expect(journal).toHaveSent([
        sent.get('/repos/octokit-fixture-org/labels/labels').as(recordedToken),
        sent
          .post('/repos/octokit-fixture-org/labels/labels')
          .as(recordedToken)
          .json({ name: 'test-label', color: '663399' }),
        sent
          .patch('/repos/octokit-fixture-org/labels/labels/test-label')
          .as(recordedToken)
          .json({ new_name: 'test-label-updated', color: 'BADA55' }),
        sent.delete('/repos/octokit-fixture-org/labels/labels/test-label-updated').as(recordedToken),
      ]),
    );
  },
};

/** GitHub does not accept a colour: the form says so at the field and keeps the text, and the user stays signed in. */
export const GitHubValidationError: Story = {
  beforeEach: ({ msw }) => {
    msw.use(...replayFixture(errors));
  },
  render: () => (
    <GitHub>
      <ResourceForm
        resource={Labels}
        action="push"
        params={{ owner, repo: 'errors' }}
        fields={[
          { name: 'name', label: 'Name', required: true },
          { name: 'color', label: 'Colour', required: true },
        ]}
      />
    </GitHub>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the user creates a label without a colour, and sees the refusal', async () => {
      await userEvent.type(await canvas.findByLabelText('Name'), 'foo');
      await userEvent.type(canvas.getByLabelText('Colour'), 'invalid');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server did not accept this. Check what you entered.',
      );
      await waitFor(() => expect(canvas.getByLabelText('Colour')).toHaveFocus());
      await expect(canvas.getByLabelText('Colour')).toHaveAccessibleDescription('This is not valid.');
      await expect(canvas.getByLabelText('Colour')).toHaveValue('invalid');
      await expect(canvas.getByLabelText('Name')).not.toHaveAttribute('aria-invalid');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.post('/repos/octokit-fixture-org/errors/labels').as(recordedToken).json({ name: 'foo', color: 'invalid' }),
      ]),
    );
  },
};
