// GitHub's REST API, as an app would describe it with the kit. Its answers in the stories are recorded ones.
import {
  Collection,
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  RestEndpoint,
  withLinkHeader,
} from '../../src/index.js';

const GITHUB = 'https://api.github.com';

/** The token that the recordings were made with, all but one digit of it struck out. */
export const recordedToken = '0'.repeat(39) + '1';

/** Signing in is pasting a personal access token, which GitHub wants after the word `token`. */
let startsWith: string | undefined;
export const session = createTokenSession({
  login: async ({ token }: { token: string }) => ({ accessToken: token, subject: 'whoever made the token' }),
  restore: async () =>
    startsWith === undefined ? null : { accessToken: startsWith, subject: 'whoever made the token' },
  header: 'Authorization',
  scheme: 'token',
  trustedOrigins: [GITHUB],
});

/** A story's `beforeEach`: signed in with a token that was pasted before, or not yet. */
export function start(token?: string) {
  return () => {
    startsWith = token;
    session.dispose();
  };
}

/** What all of GitHub's endpoints have in common: the version of the API that is spoken. */
class GitHubEndpoint extends RestEndpoint {
  override getHeaders(headers: HeadersInit) {
    return { ...headers, Accept: 'application/vnd.github.v3+json' };
  }
}

class Issue extends Entity {
  url = '';
  number = 0;
  title = '';
  state = '';
  user = { login: '' };

  override pk() {
    return this.url;
  }
}

class Repository extends Entity {
  id = 0;
  full_name = '';
  description = '';
  default_branch = '';
}

class Label extends Entity {
  id = 0;
  name = '';
  color = '';
}

const pageSize: { per_page?: number } | undefined = {};

const IssueResource = resource({
  urlPrefix: GITHUB,
  path: '/repos/:owner/:repo/issues/:number',
  schema: Issue,
  paginationField: 'page',
  searchParams: pageSize,
  Endpoint: GitHubEndpoint,
});

/** A repository's issues; the `Link` header names the next page. */
export const Issues = hookifyResource(withLinkHeader(IssueResource));

const search: { q: string } = { q: '' };

/** A search over all repositories: the rows stand in `items`. */
export const FoundIssues = hookifyResource(
  IssueResource.extend('getList', {
    path: '/search/issues',
    searchParams: search,
    schema: { items: new Collection([Issue]), total_count: 0 },
  }),
);

export const Repositories = hookifyResource(
  resource({ urlPrefix: GITHUB, path: '/repos/:owner/:repo', schema: Repository, Endpoint: GitHubEndpoint }),
);

/** Labels are renamed with `new_name`, so a change's body is not a label. */
const labelBody: { name?: string; new_name?: string; color?: string } = {};

export const Labels = hookifyResource(
  resource({
    urlPrefix: GITHUB,
    path: '/repos/:owner/:repo/labels/:name',
    schema: Label,
    body: labelBody,
    Endpoint: GitHubEndpoint,
  }),
);
