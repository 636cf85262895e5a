// What a recipe's app imports as `data-client-auth/widgets` in the tests of its writes: the widgets, with a list that has forms and buttons.
import { useState, type ReactNode } from 'react';
import type { Entity, HookResource, Resource } from '../../../src/index.js';
import {
  PaginatedList as KitList,
  ResourceForm,
  type FormField,
  type PaginatedListProps,
} from '../../../src/entries/widgets.js';

export * from '../../../src/entries/widgets.js';

interface Row extends Entity {
  id: string;
  title: string;
  text: string;
}
type RowClass = typeof Entity & { new (): Row; readonly prototype: Row };
/** What is common to the resources of the recipes. */
type Rows = HookResource<Resource<{ path: '/rows/:id'; schema: RowClass; paginationField: 'page' }>>;

const TITLE: FormField<'title'> = { name: 'title', label: 'Title' };
const TEXT: FormField<'text'> = { name: 'text', label: 'Text' };

/** The list of the recipe, which also creates, changes (PATCH), replaces (PUT) and deletes rows. */
export function PaginatedList(props: PaginatedListProps<Rows>): ReactNode {
  const [form, setForm] = useState<{ action: 'partialUpdate' | 'update'; id: string }>();
  return (
    <>
      {form && (
        <ResourceForm
          key={`${form.action} ${form.id}`}
          label="Row"
          resource={props.resource}
          action={form.action}
          params={{ id: form.id }}
          fields={[TITLE]}
        />
      )}
      <KitList
        {...props}
        create={{ unshift: [TITLE, TEXT] }}
        renderItem={(row, actions) => (
          <>
            <span>{props.renderItem(row, actions)}</span>
            <button onClick={() => setForm({ action: 'partialUpdate', id: row.id })}>Change {row.title}</button>
            <button onClick={() => setForm({ action: 'update', id: row.id })}>Replace {row.title}</button>
            <button onClick={() => void actions.remove()}>Delete {row.title}</button>
          </>
        )}
      />
    </>
  );
}
