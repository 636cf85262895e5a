import { Authenticated, hookifyResource, TokenAuthProvider, useAuth } from '../../../src/index.js';
import { LoginForm, ResourceList } from '../../../src/entries/widgets.js';
import { articleResource } from '../../support/articles.js';
import { session } from './tokenSession.js';

const Articles = hookifyResource(articleResource());

function Account() {
  const { user, logout } = useAuth<typeof session>();
  return (
    <p>
      Signed in as {user?.name}{' '}
      <button type="button" onClick={() => void logout()}>
        Sign out
      </button>
    </p>
  );
}

export function LoginFormApp() {
  return (
    <TokenAuthProvider session={session}>
      <Authenticated fallback={<LoginForm />}>
        <Account />
        <ResourceList label="My articles" resource={Articles} renderItem={article => article.title} />
      </Authenticated>
    </TokenAuthProvider>
  );
}
