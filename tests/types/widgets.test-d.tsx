// What the props of the widgets accept, and what they refuse at compile time.
import { schema } from '@data-client/rest';
import type { ComponentProps } from 'react';
import { Collection, Entity, hookifyResource, resource, RestEndpoint } from '../../src/index.js';
import {
  LoginForm,
  nextLink,
  PaginatedList,
  ResourceDetail,
  ResourceForm,
  ResourceList,
  WidgetLabelsProvider,
  withLinkHeader,
  type FieldSlotProps,
  type FormField,
} from '../../src/entries/widgets.js';
import type { HookifiedDetail, HookifiedList } from '../../src/widgets/shared/resource.js';

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
const anyNames = [{ name: 'title', label: 'Title' }];
const Plain = hookifyResource(resource(options));
const Grouped = hookifyResource(
  resource({ path: '/:group/article/:id', schema: Article, searchParams: {} as { author?: string } | undefined }),
);
const Wrapped = hookifyResource(
  resource(options).extend('getList', { schema: { results: new Collection([Article]), next: '' } }),
);
const Linked = hookifyResource(withLinkHeader(resource(options)));
const ReadOnly = { useGetList: Plain.useGetList };

class Author extends Entity {
  id = '';
  email: string | null = '';
  favourite: Author | undefined = undefined;
}

class Book extends Entity {
  id = '';
  title = '';
  pages: number | null = null;
  author = Author.fromJS();
  tags: string[] = [];
  publishedAt = new Date(0);
  onLoan?: { until: string };

  static override schema = { author: Author };
}

const Books = hookifyResource({
  ...resource({ path: '/book/:id', schema: Book }),
  changePassword: new RestEndpoint({
    path: '/password',
    method: 'POST',
    body: {} as { current: string; next: string },
    process: (): { changedAt: string } => ({ changedAt: '' }),
  }),
  lend: new RestEndpoint({ path: '/book/:id/loan', method: 'PUT', schema: Book, body: {} as { until: string } }),
  search: new RestEndpoint({ path: '/book/search' }),
});
/** A body with a field that no record has. */
const People = hookifyResource(
  resource({ path: '/person/:id', schema: Author, body: {} as { email: string; password: string } }),
);

class Picture extends Entity {
  id = '';
  type = 'picture' as const;
  src = '';
}
class Note extends Entity {
  id = '';
  type = 'note' as const;
  text = '';
}
/** Records of two kinds. */
const Feed = hookifyResource(
  resource({ path: '/feed/:id', schema: new schema.Union({ picture: Picture, note: Note }, 'type') }),
);
/** A record with a list of its own beside the rows. */
const Pinned = hookifyResource(
  resource({ path: '/book/:id', schema: Book }).extend('getList', {
    schema: { results: new Collection([Book]), pinned: Book },
  }),
);
/** Endpoints without a schema. */
const Bare = hookifyResource({
  get: new RestEndpoint({ path: '/quote/:id', process: (quote): { words: string } => quote }),
  getList: new RestEndpoint({ path: '/quote/word', process: (words): string[] => words }),
});
const Untyped = hookifyResource({ getList: new RestEndpoint({ path: '/quote/word' }) });
const anyFields: FormField[] = [{ name: 'whatever.it.is', label: 'Whatever' }];

export const accepted = (
  <>
    <ResourceList
      resource={Plain}
      create={{ push: [{ name: 'title', label: 'Title' }] }}
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
      resource={Books}
      action="push"
      fields={[
        {
          name: 'title',
          label: 'Title',
          hint: <a href="/help">Help</a>,
          placeholder: 'On …',
          maxLength: 20,
          pattern: '.+',
        },
        { name: 'pages', label: 'Pages', type: 'number', min: 1, max: 9_999, step: 'any' },
        { name: 'publishedAt', label: 'Published', type: 'datetime-local', min: '2020-01-01T00:00' },
        { name: 'author.email', label: 'E-mail', type: 'email', autoComplete: 'email' },
        { name: 'author.favourite.email', label: 'Favourite', type: 'email' },
        { name: 'onLoan.until', label: 'Until', type: 'date' },
        { name: 'tags', label: 'Tag', type: 'select', options: [{ value: 1, label: 'One' }], placeholder: 'None' },
        { name: 'tags', label: 'Tags', type: 'list', rows: 5, placeholder: 'moths' },
        {
          name: 'tags',
          label: 'Tags',
          type: 'select',
          multiple: true,
          size: 6,
          options: [{ value: 1, label: 'One' }],
          renderField: ({ value, onChange }) => <b onClick={() => onChange([...value, 'x'])}>{value.join()}</b>,
        },
        { name: 'id', label: 'Id', type: 'radio', options: [{ value: true, label: 'Yes' }] },
        { name: 'author.id', type: 'hidden', value: 5 },
        { name: 'author', label: 'Photo', type: 'file', multiple: true, accept: 'image/*' },
        {
          name: 'title',
          label: 'Title',
          renderField: ({ value, onChange, inputProps }) => (
            <input {...inputProps} value={value.trim()} onChange={event => onChange(event.target.value)} />
          ),
        },
        {
          name: 'title',
          label: 'Title',
          type: 'checkbox',
          renderField: ({ value }: FieldSlotProps<boolean>) => String(value),
        },
      ]}
    />
    <ResourceForm resource={Books} action="update" params={{ id: '1' }} fields={[]} onSuccess={book => book.title} />
    <ResourceForm
      resource={Books}
      action="changePassword"
      success="Your password is changed."
      fields={[
        { name: 'current', label: 'Current password', type: 'password' },
        { name: 'next', label: 'New password', type: 'password' },
      ]}
      onSuccess={({ changedAt }) => changedAt.toUpperCase()}
    />
    <ResourceForm
      resource={Books}
      action="lend"
      params={{ id: '1' }}
      fields={[{ name: 'until', label: 'Until', type: 'date' }]}
      onSuccess={book => book.author.email}
    />
    <ResourceForm
      resource={People}
      action="push"
      initial={{ password: '' }}
      fields={[
        { name: 'email', label: 'E-mail', type: 'email' },
        { name: 'password', label: 'Password', type: 'password' },
      ]}
    />
    <ResourceForm
      resource={People}
      action="partialUpdate"
      params={{ id: '1' }}
      fields={[{ name: 'password', label: 'New password', type: 'password' }]}
      onSuccess={person => person.email?.trim()}
    />
    <ResourceList
      resource={People}
      create={{ push: [{ name: 'password', label: 'Password', type: 'password' }] }}
      renderItem={person => person.email}
    />
    <ResourceList
      resource={Feed}
      create={{
        push: [
          { name: 'src', label: 'Picture', type: 'url' },
          { name: 'text', label: 'Note' },
        ],
      }}
      renderItem={entry => (entry.type === 'note' ? entry.text : entry.src)}
    />
    <ResourceForm
      resource={Feed}
      action="update"
      params={{ id: '1' }}
      initial={{ text: 'On moths' }}
      fields={[{ name: 'text', label: 'Note' }]}
    />
    <ResourceList resource={Pinned} renderItem={book => book.title} />
    <ResourceDetail resource={Bare} params={{ id: '1' }} renderItem={quote => quote.words} />
    <ResourceList resource={Bare} getItemKey={word => word} renderItem={word => word.toUpperCase()} />
    <ResourceList resource={Untyped} renderItem={word => String(word)} />
    <LoginForm fields={anyFields} />
    <ResourceForm
      resource={Plain}
      action="push"
      fields={[]}
      getFieldErrors={(answer, error) => (answer === undefined ? undefined : { '': [error.message] })}
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
    {/* @ts-expect-error names that are any text: `as const` keeps them */}
    <ResourceList resource={Plain} fields={anyNames} renderItem={article => article.title} />
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
    {/* @ts-expect-error the record to change is not named */}
    <ResourceForm resource={Books} action="partialUpdate" fields={[{ name: 'title', label: 'Title' }]} />
    {/* @ts-expect-error the path of this action has a param */}
    <ResourceForm resource={Books} action="lend" fields={[{ name: 'until', label: 'Until', type: 'date' }]} />
    {/* @ts-expect-error the path of the list has a param */}
    <ResourceForm resource={Grouped} action="push" fields={[{ name: 'title', label: 'Title' }]} />
    {/* @ts-expect-error a method is no field */}
    <ResourceForm resource={Books} action="push" fields={[{ name: 'pk', label: 'Key' }]} />
    {/* @ts-expect-error a select has options */}
    <ResourceForm resource={Books} action="push" fields={[{ name: 'title', label: 'Title', type: 'select' }]} />
    {/* @ts-expect-error a text has none */}
    <ResourceForm resource={Books} action="push" fields={[{ name: 'title', label: 'Title', options: [] }]} />
    <ResourceForm
      resource={Books}
      action="push"
      // @ts-expect-error a checkbox has no placeholder
      fields={[{ name: 'title', label: 'Title', type: 'checkbox', placeholder: 'x' }]}
    />
    {/* @ts-expect-error no such field of the author */}
    <ResourceForm resource={Books} action="push" fields={[{ name: 'author.emial', label: 'E-mail' }]} />
    {/* @ts-expect-error a list has no field */}
    <ResourceForm resource={Books} action="push" fields={[{ name: 'tags.length', label: 'Tags' }]} />
    {/* @ts-expect-error no such type */}
    <ResourceForm resource={Books} action="push" fields={[{ name: 'title', label: 'Title', type: 'datetime' }]} />
    {/* @ts-expect-error no such field of the body */}
    <ResourceForm resource={Books} action="changePassword" fields={[{ name: 'old', label: 'Old' }]} />
    {/* @ts-expect-error no such field of the person or of the body */}
    <ResourceForm resource={People} action="push" fields={[{ name: 'pasword', label: 'Password' }]} />
    {/* @ts-expect-error no such field of either kind of record */}
    <ResourceForm resource={Feed} action="push" fields={[{ name: 'title', label: 'Title' }]} />
    {/* @ts-expect-error a deletion has no form */}
    <ResourceForm resource={Books} action="delete" fields={[]} />
    {/* @ts-expect-error an endpoint that only reads has no form */}
    <ResourceForm resource={Books} action="search" fields={[]} />
    {/* @ts-expect-error the list is missing, to which a record would be pushed */}
    <ResourceForm resource={{ useUpdate: Plain.useUpdate }} action="push" fields={[]} />
    {/* @ts-expect-error a misspelt param of the action's own path */}
    <ResourceForm resource={Books} action="lend" params={{ di: '1' }} fields={[{ name: 'until', label: 'Until' }]} />
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

/** Widgets of an app's own, for any resource. */
function AppList<R extends HookifiedList>(props: ComponentProps<typeof PaginatedList<R>>) {
  return <PaginatedList {...props} deleteMode="undo" />;
}
function AppDetail<R extends HookifiedDetail>(props: ComponentProps<typeof ResourceDetail<R>> & { title: string }) {
  return (
    <section aria-label={props.title}>
      <ResourceDetail {...props} />
    </section>
  );
}

export const ofTheApp = (
  <>
    <AppList resource={Books} renderItem={book => book.author.email} />
    <AppList resource={Grouped} params={{ group: 'a' }} renderItem={article => article.title} />
    <AppDetail title="Book" resource={Books} params={{ id: '1' }} renderItem={book => book.author.email} />
    {/* @ts-expect-error a path param is missing */}
    <AppList resource={Grouped} renderItem={article => article.title} />
    {/* @ts-expect-error no such field of the row */}
    <AppList resource={Books} renderItem={book => book.titel} />
    {/* @ts-expect-error the params are missing */}
    <AppDetail title="Book" resource={Books} renderItem={book => book.title} />
  </>
);
