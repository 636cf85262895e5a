// The example at the head of the README; tests/readme.test.ts compares the two.
import {
  Authenticated,
  Entity,
  LoginForm,
  PaginatedList,
  RestEndpoint,
  TokenAuthProvider,
  createTokenSession,
  hookifyResource,
  resource,
} from '../../src/index.js';

const api = 'https://api.example.com';

class Article extends Entity {
  id = '';
  title = '';
}

const Articles = hookifyResource(
  resource({ urlPrefix: api, path: '/article/:id', schema: Article, paginationField: 'page' }),
);

const session = createTokenSession({
  login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
  refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
  header: 'Authorization',
  trustedOrigins: [api],
});

export const App = () => (
  <TokenAuthProvider session={session}>
    <Authenticated fallback={<LoginForm />}>
      <PaginatedList label="Articles" resource={Articles} renderItem={article => article.title} />
    </Authenticated>
  </TokenAuthProvider>
);
