import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { createTokenSession, Entity, hookifyResource, resource } from '../../src/index.js';
import { PaginatedList, ResourceDetail, ResourceForm, ResourceList } from '../../src/entries/widgets.js';
import { bindSession } from '../../src/endpoints/boundSession.js';
import { SessionContext } from '../../src/endpoints/SessionContext.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';

class Article extends Entity {
  id = '';
  title = '';
}

const plain = resource({ path: '/article/:id', schema: Article });
const session = createTokenSession({
  server: true,
  login: async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }),
});
// Not below a provider: its store has a Suspense boundary, which takes errors on a server.
const bound = bindSession(sessionCore(session));
const render = (element: ReactElement) =>
  renderToString(<SessionContext.Provider value={bound}>{element}</SessionContext.Provider>);
test.each([
  // @ts-expect-error a plain resource
  [<ResourceList key="" resource={plain} renderItem={() => null} />, 'getList', 'useGetList'],
  // @ts-expect-error a plain resource
  [<PaginatedList key="" resource={plain} renderItem={() => null} />, 'getList', 'useGetList'],
  // @ts-expect-error a plain resource
  [<ResourceDetail key="" resource={plain} params={{ id: '1' }} renderItem={() => null} />, 'get', 'useGet'],
])('a widget says that a plain resource has to be hookified (%#)', (element, endpoint, hook) => {
  expect(() => render(element)).toThrow(
    `The resource of this widget has \`${endpoint}\`, but no hook ${hook}(). Pass hookifyResource(resource).`,
  );
});

test('a widget says which endpoint its resource lacks', () => {
  // @ts-expect-error a resource without a list
  expect(() => render(<ResourceList resource={{}} renderItem={() => null} />)).toThrow(
    'The resource of this widget has no hook useGetList(). Pass hookifyResource(resource), where the resource has `getList`.',
  );
});

test.each(['cursor', 'offset'])(
  'a list of numbered pages whose paginationField is %s says how to name a page',
  field => {
    const Articles = hookifyResource(resource({ path: '/article/:id', schema: Article, paginationField: field }));
    const list = <PaginatedList resource={Articles} paginated="pages" renderItem={() => null} />;
    expect(() => render(list)).toThrow(
      `the paginationField of the resource is \`${field}\`. Say how a page is requested`,
    );
  },
);

test('a form that replaces a record, and can neither be given nor read its values, warns once and names the remedies', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { useUpdate, useGetList } = hookifyResource(plain);
  const Articles = { useUpdate, useGetList };
  const form = (initial?: { title: string }) => (
    <ResourceForm
      resource={Articles}
      action="update"
      params={{ id: '1' }}
      fields={[{ name: 'title', label: 'Title' }]}
      initial={initial}
    />
  );
  render(form({ title: 'On signing in' }));
  expect(warn).not.toHaveBeenCalled();
  render(form());
  render(form());
  expect(warn.mock.calls).toEqual([
    [
      'data-client-auth: <ResourceForm action="update"> has no `initial`, and its resource has no `get` to read the record with. A PUT replaces the whole record, so the fields that the form does not have are lost. Pass the record as `initial`, or use action="partialUpdate".',
    ],
  ]);
  warn.mockRestore();
});
