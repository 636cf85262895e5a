import type { ReactNode } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { warnOnce } from '../../warnOnce.js';
import type { DeleteMode } from '../actions/useDeleteConfirmation.js';
import type { LooseItemActions } from '../actions/useItemActions.js';
import type { FormSubject } from '../form/formAction.js';
import type { FieldName, FormField } from '../form/FormField.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import type { ErrorSlotProps } from '../shared/ErrorView.js';
import type { CreateBodyOf, ItemActions, ItemOf, HookifiedList, ParamsOf } from '../shared/resource.js';

export interface ResourceListProps<R extends HookifiedList> {
  /** A hookified resource. Its `useUpdate`, `usePartialUpdate` and `useDelete` become the actions of a row. */
  resource: R;
  /** The params of `getList`: path params and search params. Null waits until they are known. */
  params?: ParamsOf<R, 'useGetList'> | undefined;
  /**
   * Renders one row. `actions` has `pending`, `error`, and `update` (PUT), `partialUpdate` (PATCH) and `remove`, as
   * far as the resource has them. The widget shows the error of an action, so its promise needs no `catch`. A promise that you derive from it does: `remove().then(goBack, () => {})`.
   * With the stylesheet, buttons of the row are at its end; the class `dca-actions` does the same for an element with buttons. `RowActions` also
   * has a menu, for where they do not fit.
   */
  renderItem: (item: ItemOf<R>, actions: ItemActions<R, ItemOf<R>>) => ReactNode;
  /** Returns the React key of a row. It must be unique in the list. @default the primary key, or `id` */
  getItemKey?: ((item: ItemOf<R>) => string) | undefined;
  /**
   * When a row's `remove` sends the deletion: immediately, after a confirmation in a dialog, or after 8 seconds in
   * which a bar in the row's place can undo it. The 8 seconds do not run while the pointer is on the bar or the
   * keyboard focus is on its button. When the list or the page goes away, the deletion is sent at once. When the
   * identity changes, it is cancelled.
   * @default 'immediate'
   */
  deleteMode?: DeleteMode | undefined;
  /** Returns the name of a row, for the question before its deletion, for the undo bar, and for what the list announces. @default no name */
  getItemLabel?: ((item: ItemOf<R>) => string) | undefined;
  /** Accessible name of the list (`aria-label`). */
  label?: string | undefined;
  /**
   * A form that creates a row, by the end of the list that the row joins: `push` or `unshift`. Its value is the inputs of the form, in order,
   * or a function that renders a form of your own. @default no form
   * @example create={{ push: [{ name: 'title', label: 'Title' }] }}
   */
  create?: CreateOption<R> | undefined;
  /** Shown above the rows, also while they load. `invalidate` fetches the list again, from the server and not from the HTTP cache. */
  renderHeader?: ((list: { invalidate: () => Promise<void> }) => ReactNode) | undefined;
  /** Shown while the first response is pending. Screen readers hear the label `loading`, also with your own. @default a text, after 300 ms */
  loading?: ReactNode;
  /**
   * Shown when the list is empty and has no next page; a function gets whether no row matches the filter. Screen readers hear the label
   * `empty` or `noMatches`. @default a picture and the label
   */
  empty?: ReactNode | ((isFiltered: boolean) => ReactNode);
  /**
   * Whether `params` leave rows out, so that a list without rows says `noMatches` instead of `empty`.
   * @default whether `params` have a search param that names neither a page nor an order
   */
  isFiltered?: boolean | undefined;
  /**
   * Shown when the list could not be fetched, in a row whose last action failed, and above the button when a further page could not be fetched:
   * `failure.of` says which. For undefined, the default is shown. @default a text, and for the list a button that tries again
   */
  renderError?: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  /** Overrides for built-in texts. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** Added to the class `dca-list`. */
  className?: string | undefined;
}

/** The inputs of the form that creates a row, or a function that renders another form. */
type CreateForm<R> =
  readonly FormField<FieldName<ItemOf<R> | FormSubject<R, 'push'>>>[] | ((creation: CreateSlotProps<R>) => ReactNode);

/** The end of a list that new rows join, with their form. */
export type CreateOption<R> =
  | { readonly push: CreateForm<R>; readonly unshift?: never }
  | { readonly unshift: CreateForm<R>; readonly push?: never };

/** Props passed to a function in `create`. */
export interface CreateSlotProps<R> {
  /** Creates a row. Rejects with the error of the server or the session. */
  readonly create: (body: CreateBodyOf<R>) => Promise<ItemOf<R>>;
  /** True while a creation is pending. */
  readonly pending: boolean;
  /** Why the last creation failed; undefined once another one starts. */
  readonly error: Error | undefined;
}

/** The props as the list's own code reads them: a row is any object, a body is unknown. */
export interface ListOptions extends Omit<
  ResourceListProps<HookifiedList>,
  'params' | 'renderItem' | 'getItemKey' | 'getItemLabel' | 'create'
> {
  params?: object | null | undefined;
  renderItem: (item: object, actions: LooseItemActions) => ReactNode;
  getItemKey?: ((item: object) => string) | undefined;
  getItemLabel?: ((item: object) => string) | undefined;
  create?: { readonly end: 'push' | 'unshift'; readonly form: LooseCreateForm } | undefined;
  virtual?: boolean | undefined;
}

type LooseCreateForm = readonly FormField[] | ((creation: LooseCreateSlotProps) => ReactNode);

interface LooseCreateSlotProps {
  readonly create: (body: unknown) => Promise<unknown>;
  readonly pending: boolean;
  readonly error: Error | undefined;
}

/**
 * Casts to untyped callbacks. TypeScript has checked them through `R`. The callbacks stay the same functions, so rows
 * do not render again.
 */
export function toListOptions<R extends HookifiedList>(props: ResourceListProps<R>): ListOptions {
  const { create } = props;
  const end = create?.push ? 'push' : create?.unshift ? 'unshift' : undefined;
  if (isDevelopment && create && !end) warnOnce(NO_END);
  return { ...(props as unknown as ListOptions), create: end && { end, form: create![end] as LooseCreateForm } };
}

const NO_END =
  "A list shows no form for new rows, because its `create` names no end of the list. Write create={{ push: [{ name: 'title', label: 'Title' }] }} for the end of the list, or `unshift` for its start.";
