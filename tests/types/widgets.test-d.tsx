// What the props of the widgets accept, and what they refuse at compile time.
import {
  Collection,
  Entity,
  fieldErrors,
  hookifyResource,
  LoginForm,
  nextLink,
  PaginatedList,
  resource,
  ResourceDetail,
  ResourceForm,
  ResourceList,
  WidgetLabelsProvider,
  withLinkHeader,
} from '../../src/index.js';

class Article extends Entity {
  id = '';
  title = '';
}

const options = {
  urlPrefix: 'https://api.example.com',
  path: '/article/:id',
  schema: Article,
  paginationField: 'page',
} as const;
const maybe = undefined as string | undefined;
const Plain = hookifyResource(resource(options));
const Grouped = hookifyResource(
  resource({ path: '/:group/article/:id', schema: Article, searchParams: {} as { author?: string } | undefined }),
);
const Wrapped = hookifyResource(
  resource(options).extend('getList', { schema: { results: new Collection([Article]), next: '' } }),
);
const Linked = hookifyResource(withLinkHeader(resource(options)));
const ReadOnly = { useGetList: Plain.useGetList };

export const accepted = (
  <>
    <ResourceList
      resource={Plain}
      create="push"
      fields={[{ name: 'title', label: 'Title' }]}
      renderItem={(article, { update, partialUpdate, remove }) => (
        <button onClick={() => void Promise.all([update({ title: 'x' }), partialUpdate({ title: 'x' }), remove()])}>
          {article.title}
        </button>
      )}
    />
    <ResourceList resource={Grouped} params={{ group: 'a', author: 'b' }} renderItem={article => article.title} />
    <ResourceList resource={Grouped} params={{ group: 'a', author: maybe }} renderItem={article => article.title} />
    <PaginatedList resource={Plain} params={{ author: maybe, archived: true }} renderItem={article => article.title} />
    <ResourceDetail
      resource={Plain}
      params={{ id: '1' }}
      renderItem={(article, { invalidate }) => <button onClick={() => void invalidate()}>{article.title}</button>}
    />
    <ResourceDetail resource={Plain} params={null} renderItem={article => article.title} />
    <PaginatedList resource={Wrapped} next={nextLink()} renderItem={article => article.title} />
    <PaginatedList
      resource={Linked}
      renderItem={(article, { partialUpdate }) => (
        <button onClick={() => void partialUpdate({ title: 'x' })}>{article.title}</button>
      )}
    />
    <ResourceForm resource={Plain} action="update" params={{ id: '3' }} fields={[{ name: 'title', label: 'Title' }]} />
    <ResourceForm
      resource={Plain}
      action="push"
      fields={[]}
      getFieldErrors={(answer, error) => ({ ...fieldErrors(answer), '': [error.message] })}
    />
    <ResourceList
      resource={Plain}
      deleteMode="confirm"
      getItemLabel={article => article.title}
      renderItem={(article, { remove }) => (
        <button onClick={() => void remove().then((isDeleted: boolean) => isDeleted)}>{article.title}</button>
      )}
    />
    <ResourceDetail
      resource={Plain}
      params={{ id: '1' }}
      deleteMode="undo"
      getItemLabel={article => article.title}
      renderItem={article => article.title}
    />
    <WidgetLabelsProvider labels={{ undo: 'Rückgängig', deleted: name => `${name ?? 'Das'} ist gelöscht.` }}>
      <LoginForm />
    </WidgetLabelsProvider>
  </>
);

export const refused = (
  <>
    {/* @ts-expect-error no such field to create with */}
    <ResourceList resource={Plain} fields={[{ name: 'titel', label: 'Title' }]} renderItem={article => article.title} />
    {/* @ts-expect-error no such field of the row */}
    <ResourceList resource={Plain} renderItem={article => article.titel} />
    {/* @ts-expect-error a misspelt search param */}
    <ResourceList resource={Grouped} params={{ group: 'a', autor: 'b' }} renderItem={article => article.title} />
    {/* @ts-expect-error a path param may not be undefined: null waits for it */}
    <ResourceList resource={Grouped} params={{ group: maybe }} renderItem={article => article.title} />
    {/* @ts-expect-error a path param is missing */}
    <ResourceList resource={Grouped} renderItem={article => article.title} />
    <ResourceList
      resource={ReadOnly}
      // @ts-expect-error a resource without useDelete has no such action
      renderItem={(article, { remove }) => <button onClick={remove}>{article.title}</button>}
    />
    <ResourceList
      resource={Plain}
      deleteMode="undo"
      // @ts-expect-error no such field to name it by
      getItemLabel={article => article.titel}
      renderItem={article => article.title}
    />
    {/* @ts-expect-error no such way to delete */}
    <ResourceList resource={Plain} deleteMode="ask" renderItem={article => article.title} />
    {/* @ts-expect-error a misspelt word */}
    <WidgetLabelsProvider labels={{ undoo: 'Rückgängig' }}>{null}</WidgetLabelsProvider>
    {/* @ts-expect-error a misspelt path param */}
    <ResourceDetail resource={Plain} params={{ di: '1' }} renderItem={article => article.title} />
    {/* @ts-expect-error the params are missing */}
    <ResourceDetail resource={Plain} renderItem={article => article.title} />
    {/* @ts-expect-error no such field of a row in a wrapped list */}
    <PaginatedList resource={Wrapped} renderItem={article => article.titel} />
    {/* @ts-expect-error no such field of a row in a linked list */}
    <PaginatedList resource={Linked} renderItem={article => article.titel} />
  </>
);
