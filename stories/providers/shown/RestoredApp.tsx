import { Authenticated, hookifyResource, TokenAuthProvider } from '../../../src/index.js';
import { LoginForm, ResourceList } from '../../../src/entries/widgets.js';
import { articleResource } from '../../support/articles.js';
import { session } from './restoredSession.js';

const Articles = hookifyResource(articleResource());

export function RestoredApp() {
  return (
    <TokenAuthProvider session={session}>
      <Authenticated loading={<p>Checking whether you are signed in…</p>} fallback={<LoginForm />}>
        <ResourceList label="My articles" resource={Articles} renderItem={article => article.title} />
      </Authenticated>
    </TokenAuthProvider>
  );
}
