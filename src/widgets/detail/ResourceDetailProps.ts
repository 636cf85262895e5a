import type { ReactNode } from 'react';
import type { DeleteMode } from '../actions/useDeleteConfirmation.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import type { ErrorSlotProps } from '../shared/ErrorView.js';
import type { AnswerOf, HookifiedDetail, ItemActions, ParamsOf } from '../shared/resource.js';

export interface ResourceDetailProps<R extends HookifiedDetail> {
  /** A hookified resource. Its `useUpdate`, `usePartialUpdate` and `useDelete` become the actions of the record. */
  resource: R;
  /** The params of `get`. Null waits until they are known. */
  params?: ParamsOf<R, 'useGet'> | undefined;
  /**
   * Renders the record. `actions` has `pending`, `error`, `invalidate`, and `update` (PUT), `partialUpdate` (PATCH) and `remove`, as far as
   * the resource has them. The widget shows the error of an action, so its promise needs no `catch`. A promise that you derive from it does: `remove().then(goBack, () => {})`.
   */
  renderItem: (item: AnswerOf<R, 'useGet'>, actions: DetailActions<R>) => ReactNode;
  /**
   * When `remove` sends the deletion: immediately, after a confirmation in a dialog, or after 8 seconds in which a bar
   * can undo it. The rules are those of `ResourceList`.
   * @default 'immediate'
   */
  deleteMode?: DeleteMode | undefined;
  /** Returns the name of the record, for the question before its deletion and for the undo bar. @default no name */
  getItemLabel?: ((item: AnswerOf<R, 'useGet'>) => string) | undefined;
  /** Accessible name of the record (`aria-label`). */
  label?: string | undefined;
  /** Shown while the response is pending. @default a text, after 300 ms */
  loading?: ReactNode;
  /** Shown when the server responds with 404. @default `renderError`, else a text and a button that tries again */
  notFound?: ReactNode;
  /** Shown when the record could not be fetched. @default a text and a button that tries again */
  renderError?: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  /** Shown below the record when its last action failed. @default a text */
  renderActionError?: ((error: Error) => ReactNode) | undefined;
  /** Shown after the record has been deleted here. @default a text */
  removed?: ReactNode;
  /** Overrides for built-in texts. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** Added to the class `dca-detail`. */
  className?: string | undefined;
}

/** The actions of a `ResourceDetail`'s record. */
export type DetailActions<R> = ItemActions<R, AnswerOf<R, 'useGet'>> & {
  /** Fetches the record again. */
  readonly invalidate: () => Promise<void>;
};
