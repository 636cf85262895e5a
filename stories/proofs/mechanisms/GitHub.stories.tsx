import errors from '@octokit/fixtures/scenarios/api.github.com/errors/normalized-fixture.json';
import issues from '@octokit/fixtures/scenarios/api.github.com/paginate-issues/normalized-fixture.json';
import labels from '@octokit/fixtures/scenarios/api.github.com/labels/normalized-fixture.json';
import repository from '@octokit/fixtures/scenarios/api.github.com/get-repository/normalized-fixture.json';
import search from '@octokit/fixtures/scenarios/api.github.com/search-issues/normalized-fixture.json';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ReactNode } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { LoginForm, PaginatedList, ResourceDetail, ResourceForm, ResourceList } from '../../../src/entries/widgets.js';
import { FoundIssues, Issues, Labels, recordedToken, Repositories, session, start } from '../../support/github.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { Authenticated, TokenAuthProvider } from '../../../src/index.js';
import { requestLines } from '../../../src/testing/index.js';
import { AuthStatus } from '../../support/ArticlesDemo.js';
import { http, HttpResponse, type RequestHandler } from 'msw';

/** One request and its answer, as `@octokit/fixtures` has recorded it. */
interface Recorded {
  readonly scope: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly response: unknown;
  readonly reqheaders: Readonly<Record<string, string | number | undefined>>;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

interface ReplayOptions {
  /** Other paths of a recorded address: GitHub's links have `/repositories/1000` for the repository with that id. */
  sameAs?: Readonly<Record<string, string>>;
}

/** The headers of an answer that a page may read and that the kit or an app uses. */
const ANSWER_HEADERS = ['content-type', 'etag', 'link', 'location', 'x-ratelimit-limit', 'x-ratelimit-remaining'];

/**
 * Answers with a recorded scenario. Refuses other requests as GitHub does: 404 for an address that was not recorded, 401 for another
 * `Authorization`, 415 for another media type, 400 for another body.
 */
function replayFixture(recorded: readonly Recorded[], { sameAs = {} }: ReplayOptions = {}): RequestHandler[] {
  const addressOf = (url: URL) => {
    const renamed = Object.entries(sameAs).find(([other]) => url.pathname.startsWith(`${other}/`));
    const path = renamed ? renamed[1] + url.pathname.slice(renamed[0].length) : url.pathname;
    return `${path}?${[...url.searchParams]
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join('&')}`;
  };
  const find = (method: string, url: URL) =>
    recorded.find(
      one => one.method.toUpperCase() === method && addressOf(new URL(one.path, one.scope)) === addressOf(url),
    );

  return [...new Set(recorded.map(({ scope }) => new URL(scope).origin))].map(origin =>
    http.all(`${origin}/*`, async ({ request }) => {
      const found = find(request.method, new URL(request.url));
      if (!found) return refusal(404, 'Not Found');
      const { authorization, accept } = found.reqheaders;
      if (request.headers.get('authorization') !== authorization) return refusal(401, 'Bad credentials');
      if (request.headers.get('accept') !== accept) return refusal(415, "Unsupported 'Accept' header");
      if (!isSameJson(await request.text(), found.body)) return refusal(400, 'Problems parsing JSON');
      const headers = ANSWER_HEADERS.flatMap((name): [string, string][] =>
        name in found.headers ? [[name, String(found.headers[name])]] : [],
      );
      return new HttpResponse(found.status === 204 ? null : JSON.stringify(found.response), {
        status: found.status,
        headers,
      });
    }),
  );
}

function refusal(status: number, message: string): Response {
  return HttpResponse.json({ message, documentation_url: 'https://docs.github.com/rest' }, { status });
}

/** True if the body is the recorded one. The fields of an object may be in any order. */
function isSameJson(sent: string, recorded: unknown): boolean {
  if (sent === '' || recorded === '') return sent === recorded;
  return inOrder(JSON.parse(sent)) === inOrder(recorded);
}

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const sent = requestLines({
  prefix: 'https://api.github.com',
  as: token => ({ Authorization: `token ${token}` }),
});

/** The owner of the recorded repositories. */
const owner = 'octokit-fixture-org';

/** A page for users who sign in with a personal access token. */
function GitHubPage({ children }: { children: ReactNode }) {
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
    <GitHubPage>
      <ResourceDetail
        resource={Repositories}
        params={{ owner, repo: 'hello-world' }}
        label="Repository"
        renderItem={repo => <p>{`${repo.full_name}, ${repo.default_branch}`}</p>}
      />
    </GitHubPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent(
      'the unknown token is tried once more after a second, for GitHub may have many machines; each has the word “token” before it',
      ['mistyped', 'mistyped', recordedToken].map(token =>
        sent
          .get('/repos/octokit-fixture-org/hello-world')
          .as(token)
          .headers({ accept: 'application/vnd.github.v3+json' }),
      ),
      { headers: ['accept'] },
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
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('five pages, each read once', [
      sent.get('/repos/octokit-fixture-org/paginate-issues/issues?per_page=3').as(recordedToken),
      ...[2, 3, 4, 5].map(page =>
        sent.get(`/repos/octokit-fixture-org/paginate-issues/issues?page=${page}&per_page=3`).as(recordedToken),
      ),
    ]);
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
  play: async ({ canvas, step, hasSent }) => {
    await step('the user searches a repository for “sesame”', async () => {
      await userEvent.type(
        await canvas.findByLabelText('Search issues'),
        'sesame repo:octokit-fixture-org/search-issues',
      );
      await userEvent.click(canvas.getByRole('button', { name: 'Search' }));
      await canvas.findByText('#2 Sesame seeds split without a pop!, by octokit-fixture-user-b');
      await expect(canvas.getByText('#1 The doors don’t open, by octokit-fixture-user-a')).toBeInTheDocument();
    });
    await hasSent('one search', [
      sent.get('/search/issues?q=sesame+repo%3Aoctokit-fixture-org%2Fsearch-issues').as(recordedToken),
    ]);
  },
};

/** The labels of one repository. */
function LabelList() {
  return (
    <ResourceList
      resource={Labels}
      params={{ owner, repo: 'labels' }}
      label="Labels"
      create={{
        push: [
          { name: 'name', label: 'Name', required: true },
          { name: 'color', label: 'Colour', required: true },
        ],
      }}
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
    <GitHubPage>
      <LabelList />
    </GitHubPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('four requests, with the recorded bodies', [
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
    ]);
  },
};

/** GitHub does not accept a colour: the form says so at the field and keeps the text, and the user stays signed in. */
export const GitHubValidationError: Story = {
  beforeEach: ({ msw }) => {
    msw.use(...replayFixture(errors));
  },
  render: () => (
    <GitHubPage>
      <ResourceForm
        resource={Labels}
        action="push"
        params={{ owner, repo: 'errors' }}
        fields={[
          { name: 'name', label: 'Name', required: true },
          { name: 'color', label: 'Colour', required: true },
        ]}
      />
    </GitHubPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('one POST', [
      sent.post('/repos/octokit-fixture-org/errors/labels').as(recordedToken).json({ name: 'foo', color: 'invalid' }),
    ]);
  },
};
