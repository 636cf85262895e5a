import type { ReactNode } from 'react';
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
  /** The end of the list that new rows join. Also shows the form that creates them. @default no form */
  create?: 'push' | 'unshift' | undefined;
  /** The inputs of the form that creates a row, in order. `create` needs them, or `renderCreate`. */
  fields?: readonly FormField<FieldName<ItemOf<R> | FormSubject<R, 'push'>>>[] | undefined;
  /** Replaces the form that creates a row. */
  renderCreate?: ((creation: CreateSlotProps<R>) => ReactNode) | undefined;
  /** Shown above the rows, also while they load. `invalidate` fetches the list again, from the server and not from the HTTP cache. */
  renderHeader?: ((list: { invalidate: () => Promise<void> }) => ReactNode) | undefined;
  /** Shown while the first response is pending. Screen readers hear the label `loading`, also with your own. @default a text, after 300 ms */
  loading?: ReactNode;
  /** Shown when the list is empty and has no next page. Screen readers hear the label `empty`. @default a picture and a text */
  empty?: ReactNode;
  /** Shown when no row matches the filter. Screen readers hear the label `noMatches`. @default a picture and a text */
  noMatches?: ReactNode;
  /**
   * Whether `params` leave rows out, so that a list without rows shows `noMatches` instead of `empty`.
   * @default whether `params` have a search param that names neither a page nor an order
   */
  isFiltered?: boolean | undefined;
  /** Shown when the list could not be fetched. @default a text and a button that tries again */
  renderError?: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  /** Shown in a row whose last action failed. @default a text */
  renderActionError?: ((error: Error) => ReactNode) | undefined;
  /** Overrides for built-in texts. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** Added to the class `dca-list`. */
  className?: string | undefined;
}

/** Props passed to `renderCreate`. */
export interface CreateSlotProps<R> {
  /** Creates a row at the end that `create` names. Rejects with the error of the server or the session. */
  readonly create: (body: CreateBodyOf<R>) => Promise<ItemOf<R>>;
  /** True while a creation is pending. */
  readonly pending: boolean;
  /** Why the last creation failed; undefined once another one starts. */
  readonly error: Error | undefined;
}

/** Props whose types depend on the resource. */
type TypedProps = 'params' | 'renderItem' | 'getItemKey' | 'getItemLabel' | 'fields' | 'renderCreate';

/** The props as the list's own code reads them: a row is any object, a body is unknown. */
export interface ListOptions extends Omit<ResourceListProps<HookifiedList>, TypedProps> {
  params?: object | null | undefined;
  renderItem: (item: object, actions: LooseItemActions) => ReactNode;
  getItemKey?: ((item: object) => string) | undefined;
  getItemLabel?: ((item: object) => string) | undefined;
  fields?: readonly FormField[] | undefined;
  renderCreate?: ((creation: LooseCreateSlotProps) => ReactNode) | undefined;
  virtual?: boolean | undefined;
}

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
  const { params, renderItem, getItemKey, getItemLabel, fields, renderCreate, ...others } = props;
  return {
    ...others,
    params: params as ListOptions['params'],
    renderItem: renderItem as ListOptions['renderItem'],
    getItemKey: getItemKey as ListOptions['getItemKey'],
    getItemLabel: getItemLabel as ListOptions['getItemLabel'],
    fields,
    renderCreate: renderCreate as ListOptions['renderCreate'],
  };
}
