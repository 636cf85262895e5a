import type { ReactNode } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import type { FieldErrors } from './fieldErrors.js';
import type { FormAction, FormParams, FormResult, FormSubject } from './formAction.js';
import type { FieldName, FormField } from './FormField.js';

export interface ResourceFormProps<R extends object, A extends FormAction<R>> {
  /** A hookified resource. `push` and `unshift` need `useGetList`, another action needs its hook: `useUpdate` for `update`. */
  resource: R;
  /**
   * `push` or `unshift` create a record at the end or the start of its list, `update` replaces a record (PUT),
   * `partialUpdate` changes one (PATCH). The name of another endpoint of the resource that changes something calls that: `changePassword`.
   */
  action: A;
  /** The params of the list for `push` and `unshift`, of the record for `update` and `partialUpdate`, else of the endpoint. */
  params?: FormParams<R, A> | undefined;
  /** The inputs, in order. Dots in a name lead into objects: `author.email`. */
  fields: readonly FormField<FieldName<FormSubject<R, A>>>[];
  /**
   * The initial values of the inputs. Read when the form is mounted, and again when `params` name another record. A
   * PUT sends all of it with the changes, so it must be the whole record, and not the row of a list that has a part. A PATCH sends the
   * changes only.
   * @default for `update` and `partialUpdate`: the record, which the form reads with `get`. It takes the store's if the store has the fields of
   * the form (`partialUpdate`) or an answer to `get` (`update`), else it fetches it. For other actions: empty inputs.
   */
  initial?: Partial<FormSubject<R, A>> | undefined;
  /**
   * Called with the record that the server responded with, or with what an endpoint of your own resolves with. An error that it throws is
   * reported as uncaught and does not undo the success.
   */
  onSuccess?: ((result: FormResult<R, A>) => void) | undefined;
  /**
   * Announced beside the button after a success, until the user edits the form or submits it again. Null shows nothing.
   * @default “Saved.”, and nothing for `push` and `unshift`
   */
  success?: ReactNode;
  /**
   * Sets the inputs back to `initial` after a success. Text that the user types while the answer is pending stays.
   * @default true, and false for `update` and `partialUpdate`, which keep what was sent
   */
  resetOnSuccess?: boolean | undefined;
  /** Renders the error of a failed submit, inside an alert. @default a text */
  renderError?: ((error: Error) => ReactNode) | undefined;
  /**
   * Returns the field errors in the JSON body of a rejected form.
   * @default `fieldErrors`, except that a single string (not in a list) counts only if a field has that name
   */
  getFieldErrors?: ((body: unknown, error: Error) => FieldErrors) | undefined;
  /** The text of the button. @default “Create” or “Save” */
  submitLabel?: string | undefined;
  /** Accessible name of the form (`aria-label`). @default the text of its button */
  label?: string | undefined;
  /** Overrides for built-in texts. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** Added to the class `dca-form`. */
  className?: string | undefined;
}

/** The props as the form's own code reads them: a record is any object. */
export type LooseFormProps = Omit<
  ResourceFormProps<object, never>,
  'action' | 'fields' | 'initial' | 'onSuccess' | 'params'
> & {
  action: string;
  fields: readonly FormField[];
  initial?: object | undefined;
  onSuccess?: ((result: unknown) => void) | undefined;
};
