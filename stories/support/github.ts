// GitHub's REST API, as an app would describe it with the kit. The stories answer with recorded responses.
import { Collection, createTokenSession, Entity, hookifyResource, resource, RestEndpoint } from '../../src/index.js';
import { withLinkHeader } from '../../src/entries/widgets.js';

const GITHUB = 'https://api.github.com';

/** The token of the recordings. All of its digits but one are replaced by zeros. */
export const recordedToken = '0'.repeat(39) + '1';

/** A user signs in with a personal access token. In the header, GitHub expects it after the word `token`. */
let startsWith: string | undefined;
export const session = createTokenSession({
  login: async ({ token }: { token: string }) => ({ accessToken: token, subject: 'owner of the token' }),
  restore: async () => (startsWith === undefined ? null : { accessToken: startsWith, subject: 'owner of the token' }),
  header: 'Authorization: token',
  trustedOrigins: [GITHUB],
});

/** A story's `beforeEach`: signed in with this token; without one, signed out. */
export function start(token?: string) {
  return () => {
    startsWith = token;
    session.dispose();
  };
}

/** Names the version of the API on each request. */
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

/** A search over all repositories. Its rows are in the field `items`. */
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

/** GitHub renames a label by `new_name`, so the body of a change is not a label. */
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
