import type { ReactNode } from 'react';
import type { DeleteMode } from '../actions/useDeleteConfirmation.js';
import type { FormField } from '../form/FormField.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import type { ErrorSlotProps } from '../shared/ErrorView.js';
import type { CreateBodyOf, ItemActions, ItemOf, ListResource, ParamsOf } from '../shared/resourceTypes.js';

export interface ResourceListProps<R extends ListResource> {
  /** A hookified resource. Its `useUpdate`, `usePartialUpdate` and `useDelete` become the acts of a row. */
  resource: R;
  /** The params of `getList`: those of its path, and search params. Null waits until they are known. */
  params?: ParamsOf<R, 'useGetList'> | undefined;
  /** One row. `actions` are `update` (PUT), `partialUpdate` (PATCH) and `remove`, as far as the resource has them, and their state. */
  renderItem: (item: ItemOf<R>, actions: ItemActions<R, ItemOf<R>>) => ReactNode;
  /** What tells one row from another. @default the primary key, or `id` */
  getItemKey?: ((item: ItemOf<R>) => string) | undefined;
  /**
   * What a row's `remove` waits for: nothing, a yes in a dialog, or 8 seconds in which a note in the row's place can undo it. The time
   * stands still while somebody is at the note, and ends when the list or the page goes away. A deletion that still waits when the
   * identity changes is dropped.
   * @default 'immediate'
   */
  deleteMode?: DeleteMode | undefined;
  /** Names a row in the question or the note of its deletion. @default no name */
  getItemLabel?: ((item: ItemOf<R>) => string) | undefined;
  /** The name of the list, for those who do not see it. */
  label?: string | undefined;
  /** Which end of the list new rows join; absent, none can be made here. */
  create?: 'push' | 'unshift' | undefined;
  /** The inputs of the form that creates a row. */
  fields?: readonly FormField<Extract<keyof ItemOf<R>, string>>[] | undefined;
  /** A way of your own to create a row, in place of the form with `fields`. */
  renderCreate?: ((creation: CreateSlotProps<R>) => ReactNode) | undefined;
  /** Stands above the rows, also while they are loading; `invalidate` has them fetched again. */
  renderHeader?: ((list: { invalidate: () => Promise<void> }) => ReactNode) | undefined;
  /** Shown while the first answer is on its way. */
  loading?: ReactNode;
  /** Shown in place of no rows. */
  empty?: ReactNode;
  /** Shown when the list could not be fetched. @default what happened in words, and a button that tries again */
  renderError?: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  /** Shown in a row whose last act failed. @default what happened in words */
  renderActionError?: ((error: Error) => ReactNode) | undefined;
  /** The words that the widget says by itself. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** A class beside `dca-list`. */
  className?: string | undefined;
}

/** What a creation slot gets. */
export interface CreateSlotProps<R> {
  /** Creates a row at the chosen end. Rejects with what the server or the session said. */
  readonly create: (body: CreateBodyOf<R>) => Promise<ItemOf<R>>;
  readonly pending: boolean;
  /** Why the last creation failed; undefined once another one starts. */
  readonly error: Error | undefined;
}
