import { Entity as ForeignEntity } from '@data-client/rest';
import { useEffect, useState } from 'react';
import { Entity, hookifyResource, resource, type HookResource } from '../../../src/index.js';
import { PaginatedList, type ItemActions } from '../../../src/entries/widgets.js';

class Row extends Entity {
  id = '';
  title = '';
}

/** The class of an app that does not use the kit's. */
class ForeignRow extends ForeignEntity {
  id = '';
  title = '';
  override pk() {
    return this.id;
  }
}

const options = { path: '/row/:id', schema: Row, paginationField: 'page', rows: 'items' } as const;
const rowsResource = resource(options);
type Rows = HookResource<typeof rowsResource>;

const RESOURCES: Readonly<Record<string, () => unknown>> = {
  items: () => hookifyResource(rowsResource),
  optimistic: () => hookifyResource(resource({ ...options, optimistic: true })),
  bare: () => hookifyResource(resource({ ...options, rows: undefined })),
  foreign: () => hookifyResource(resource({ ...options, schema: ForeignRow })),
};

const renderRow = ({ id, title }: Row, { partialUpdate, remove }: ItemActions<Rows, Row>) => (
  <>
    <span>{title}</span>
    <button type="button" onClick={() => void partialUpdate({ title: `New ${id}` })}>
      Rename {id}
    </button>
    <button type="button" onClick={() => void remove()}>
      Delete {id}
    </button>
  </>
);

/**
 * Rows that the server sends in pages. `rows` names the resource, `paginated`, `deleteMode` and `create` are the list's props. With
 * `two`, another list is below, and with `twice` the same one; with `stuck`, a header in pixels stays above the rows. The status is in the browser's history.
 */
export default function PagedRows({ search }: { search: URLSearchParams }) {
  const [rows] = useState(() => RESOURCES[search.get('rows') ?? '']?.() as Rows);
  const [status, setStatus] = useState(search.get('status') ?? 'open');
  const show = (name: string) => {
    history.pushState({ status: name }, '');
    setStatus(name);
  };
  useEffect(() => {
    const onPopState = ({ state }: PopStateEvent) => setStatus((state as { status: string } | null)?.status ?? 'open');
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);
  const prop = <T,>(name: string) => (search.get(name) ?? undefined) as T;
  const end = search.get('create');
  const shared = {
    resource: rows,
    renderItem: renderRow,
    paginated: prop<'pages'>('paginated'),
    deleteMode: prop<'undo'>('deleteMode'),
    ...(end && { create: { [end]: [{ name: 'title', label: 'Title' }] } as unknown as { push: [] } }),
  };
  return (
    <>
      <style>{`.dca-list { scroll-margin-block-start: ${search.get('stuck') ?? 0}px }`}</style>
      <p>Above the list.</p>
      <PaginatedList
        {...shared}
        label="Rows"
        params={{ status }}
        renderHeader={({ invalidate }) => (
          <button type="button" onClick={() => void invalidate()}>
            Fetch again
          </button>
        )}
      />
      {search.has('two') && <PaginatedList {...shared} label="Closed rows" params={{ status: 'closed' }} />}
      {search.has('twice') && <PaginatedList {...shared} label="The same rows" params={{ status }} />}
      {['closed', 'open'].map(name => (
        <button key={name} type="button" onClick={() => show(name)}>
          Show {name}
        </button>
      ))}
    </>
  );
}
