import { createResource, Entity as PlainEntity } from '@data-client/rest';
import type { ComponentType } from 'react';
import {
  ContextTokenProvider,
  CookieAuthProvider,
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  TokenAuthProvider,
  useAuth,
} from '../../src/index.js';
import { sessionClock, useSessionClock } from '../../src/entries/clock.js';
import { Can } from '../../src/entries/permissions.js';
import {
  LoginForm,
  PaginatedList,
  ResourceDetail,
  ResourceForm,
  ResourceList,
  useDebouncedParams,
} from '../../src/entries/widgets.js';
import { testMistakes } from './support/mistakes.js';
import { login, render, renderBelow, renderCall, resultBelow } from './support/render.js';

class Article extends Entity {
  id = '';
  title = '';
}

const ArticleResource = resource({ path: '/article/:id', schema: Article });
const Articles = hookifyResource(ArticleResource);
const session = createTokenSession({ login, server: true });
const renderItem = ({ title }: Article) => title;
const fields = [{ name: 'title', label: 'Title' }] as const;

/** A form as JavaScript writes it. */
const LooseForm = ResourceForm as unknown as ComponentType<Record<string, unknown>>;

function SignedInAs() {
  return <p>{useAuth().status}</p>;
}

// Providers.
testMistakes([
  {
    mistake: 'a provider without a session',
    make: () => render(<TokenAuthProvider session={undefined as never}>{null}</TokenAuthProvider>),
    where: 'thrown',
    says: '`session` is not a session of data-client-auth. Make it with createTokenSession(), createCookieSession(), createSdkSession() or createSession().',
  },
  {
    mistake: 'a hook outside of a provider',
    make: () => render(<SignedInAs />),
    where: 'thrown',
    says: 'useAuth() found no auth provider above it. Put the component below a <TokenAuthProvider>, <CookieAuthProvider> or <ContextTokenProvider>.',
  },
  {
    mistake: '`initial` for a session without a cookie',
    make: () =>
      render(
        <CookieAuthProvider session={session} initial={{ id: 'ada' }}>
          {null}
        </CookieAuthProvider>,
      ),
    where: 'thrown',
    says: '`initial` is for a session of createCookieSession() only. Leave it out: a session of another kind finds its user by itself.',
  },
  {
    mistake: 'login() below ContextTokenProvider',
    make: async () => {
      const auth = await resultBelow(useAuth, node => <ContextTokenProvider token={null}>{node}</ContextTokenProvider>);
      await auth.login();
    },
    where: 'thrown',
    says: 'This session has no login of its own: sign in with the SDK that gives it its token.',
  },
  {
    mistake: 'an SDK whose tokens are no JWTs, without a subject',
    make: async () => {
      const auth = await resultBelow(useAuth, node => (
        <ContextTokenProvider getToken={async () => 'opaque'}>{node}</ContextTokenProvider>
      ));
      await auth.refresh();
    },
    where: 'thrown',
    says: 'getToken gave a token that does not name its user, so the session could not tell two users apart. Pass ContextTokenProvider the `subject`: the user id that the SDK knows, or null while no user is signed in.',
  },
  {
    mistake: '<Can> below a provider without permissions',
    make: () => renderBelow(<Can action="publish">Publish</Can>),
    where: 'thrown',
    says: 'The provider above has no permissions. Give it the prop `can`: <TokenAuthProvider can={permissions({ fromUser, ask })}>.',
  },
  {
    mistake: 'the clock of a provider without one',
    make: () => renderCall(() => useSessionClock()),
    where: 'thrown',
    says: 'The provider above has no clock. Give it the prop `clock`: <TokenAuthProvider clock={sessionClock({ idle: { after: 15 * 60_000 } })}>.',
  },
  {
    mistake: 'an idle time in minutes',
    make: () => sessionClock({ idle: { after: 15 } }),
    where: 'thrown',
    says: 'sessionClock() would warn 60000 ms before an idle end after 15 ms, so it would warn all the time. Make `idle.after` longer, or `idle.warn` shorter.',
  },
  {
    mistake: 'a warning in seconds',
    make: () => sessionClock({ warn: 60 }),
    where: 'console.warn',
    says: 'sessionClock() warns less than 20 seconds before the end. WCAG 2.2.1 asks for at least 20 seconds to stay signed in: raise `warn`.',
  },
]);

// Hooks and widgets.
testMistakes([
  {
    mistake: 'a hook in an event handler',
    make: Articles.useGet,
    where: 'thrown',
    says: 'useGet() was called outside a render. Call it in a component or hook, keep the endpoint it returns, and use that in handlers and effects.',
  },
  {
    mistake: "a resource of data-client's own createResource()",
    make: () => {
      class Plain extends PlainEntity {
        id = '';
        override pk() {
          return this.id;
        }
      }
      const Plains = hookifyResource(createResource({ path: '/article/:id', schema: Plain }));
      return renderCall(() => Plains.useGet());
    },
    where: 'thrown',
    says: "cannot carry a session's credentials, because its class is not the kit's. Make it with resource() or RestEndpoint of data-client-auth, or give hookifyResource a useInit of your own.",
  },
  {
    mistake: 'a list with a plain resource',
    make: () => renderBelow(<ResourceList resource={ArticleResource as never} renderItem={renderItem} />),
    where: 'thrown',
    says: 'The resource of this widget has `getList`, but no hook useGetList(). Pass hookifyResource(resource).',
  },
  {
    mistake: 'a form with a plain resource',
    make: () => {
      // @ts-expect-error a plain resource
      const form = <ResourceForm resource={ArticleResource} action="push" fields={fields} />;
      return renderBelow(form);
    },
    where: 'thrown',
    says: 'The resource has no endpoint for the action "push". Give ResourceForm a hookified resource: pass hookifyResource(resource).',
  },
  {
    mistake: 'a form with an action by the name of its method',
    make: () => {
      // @ts-expect-error no endpoint of the resource
      const form = <ResourceForm resource={Articles} action="patch" params={{ id: '1' }} fields={fields} />;
      return renderBelow(form);
    },
    where: 'thrown',
    says: 'The resource has no endpoint for the action "patch". This one has: push, unshift, create, update, partialUpdate.',
  },
  {
    mistake: 'a list without a resource, as a wrong import leaves it',
    make: () => renderBelow(<ResourceList resource={undefined as never} renderItem={renderItem} />),
    where: 'thrown',
    says: 'The prop `resource` of a widget is undefined. Pass hookifyResource(resource). Check the name of the import. If two files import each other, move the resource to a third file.',
  },
  {
    mistake: 'a record without a resource',
    make: () => renderBelow(<ResourceDetail resource={null as never} params={{ id: '1' }} renderItem={() => null} />),
    where: 'thrown',
    says: 'The prop `resource` of a widget is null.',
  },
  {
    mistake: 'a form without a resource',
    make: () => renderBelow(<LooseForm action="push" fields={fields} />),
    where: 'thrown',
    says: 'The prop `resource` of a widget is undefined.',
  },
  {
    mistake: 'a form without an action',
    make: () => renderBelow(<LooseForm resource={Articles} fields={fields} />),
    where: 'thrown',
    says: 'ResourceForm needs the prop `action`: push, unshift, update, partialUpdate, or the name of another endpoint that changes something.',
  },
  {
    mistake: 'a form without fields',
    make: () => renderBelow(<LooseForm resource={Articles} action="push" />),
    where: 'thrown',
    says: "The prop `fields` of a form must be an array of objects, each with a `name`. Pass one for each input: fields={[{ name: 'title', label: 'Title' }]}. Remove entries that are false or undefined.",
  },
  {
    mistake: 'a login form whose fields are texts',
    make: () => renderBelow(<LoginForm fields={['email', 'password'] as never} />),
    where: 'thrown',
    says: 'The prop `fields` of a form must be an array of objects, each with a `name`.',
  },
  {
    mistake: 'a list with a form for new rows, which names no end of the list',
    make: () => renderBelow(<ResourceList resource={Articles} create={'push' as never} renderItem={renderItem} />),
    where: 'console.warn',
    says: "A list shows no form for new rows, because its `create` names no end of the list. Write create={{ push: [{ name: 'title', label: 'Title' }] }} for the end of the list, or `unshift` for its start.",
  },
  {
    mistake: 'numbered pages of an API with cursors',
    make: () => {
      const Cursors = hookifyResource(resource({ path: '/article/:id', schema: Article, paginationField: 'cursor' }));
      return renderBelow(<PaginatedList resource={Cursors} paginated="pages" renderItem={renderItem} />);
    },
    where: 'thrown',
    says: '<PaginatedList paginated="pages"> needs page numbers, and the paginationField of the resource is `cursor`. Say how a page is requested: next={({ pages }) => ({ offset: pages * 20, limit: 20 })}.',
  },
  {
    mistake: 'a filter that is no number',
    make: () => {
      const params = { author: Number('one') };
      return renderBelow(<ResourceList resource={Articles} params={params} renderItem={renderItem} />);
    },
    where: 'console.warn',
    says: 'The param `author` is NaN, so it counts as null: the address has no such search param, or lacks a path param. Where the value is not known, leave the param out, or make it undefined.',
  },
  {
    mistake: 'a debounced filter that is no date',
    make: () => renderCall(() => useDebouncedParams({ author: new Date('yesterday') })),
    where: 'console.warn',
    says: 'The param `author` is Invalid Date, so it counts as null: the address has no such search param, or lacks a path param. Where the value is not known, leave the param out, or make it undefined.',
  },
  {
    mistake: 'a form for a PUT without the record',
    make: () => {
      const { useUpdate } = Articles;
      return renderBelow(
        <ResourceForm resource={{ useUpdate }} action="update" params={{ id: '1' }} fields={fields} />,
      );
    },
    where: 'console.warn',
    says: '<ResourceForm action="update"> has no `initial`, and its resource has no `get` to read the record with. A PUT replaces the whole record, so the fields that the form does not have are lost. Pass the record as `initial`, or use action="partialUpdate".',
  },
]);
