import { useController } from '@data-client/react';
import type { ReactNode } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { warnOnce } from '../../warnOnce.js';
import { toCreateEndpoint, useMutations } from '../actions/useMutations.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabelsProvider.js';
import { paramsKey, pathParams, useStableParams } from '../shared/params.js';
import type { AnswerOf, ItemOf, LooseEndpoint, ParamsOf } from '../shared/resourceTypes.js';
import { useReportedWrites } from '../shared/useReportFailure.js';
import type { FieldErrors } from './fieldErrors.js';
import { callUserCallback, FieldsForm } from './FieldsForm.js';
import { toFormValues, toRequestBody, type FormField, type FormValues } from './FormField.js';

/** The record of a resource: of `get`, else a row of its list. */
type RecordOf<R> = R extends { useGet: unknown } ? AnswerOf<R, 'useGet'> : ItemOf<R>;

/** The actions of a form, and the hook that each needs. */
interface ActionHooks {
  push: 'useGetList';
  unshift: 'useGetList';
  update: 'useUpdate';
  partialUpdate: 'usePartialUpdate';
}

type FormAction = keyof ActionHooks;

/** Distributes over the actions, so that a union of actions takes the params of each. */
type FormParams<R, A extends FormAction> = A extends FormAction ? Exclude<ParamsOf<R, ActionHooks[A]>, null> : never;

export interface ResourceFormProps<R extends object, A extends FormAction> {
  /** A hookified resource. `push` and `unshift` need `useGetList`, `update` needs `useUpdate`, `partialUpdate` needs `usePartialUpdate`. */
  resource: R;
  /**
   * `push` or `unshift` create a record at the end or the start of its list, `update` replaces a record (PUT),
   * `partialUpdate` changes one (PATCH).
   */
  action: A;
  /** The params of the list for `push` and `unshift`, else of the record. */
  params?: FormParams<R, A> | undefined;
  /** The inputs, in order. */
  fields: readonly FormField<Extract<keyof RecordOf<R>, string>>[];
  /**
   * The initial values of the inputs. Read when the form is mounted, and again when `params` name another record. A
   * PUT sends all of it with the changes. A PATCH sends the changes only.
   */
  initial?: Partial<RecordOf<R>> | undefined;
  /**
   * Called with the record that the server responded with. An error that it throws is reported as uncaught and does
   * not undo the success.
   */
  onSuccess?: ((record: RecordOf<R>) => void) | undefined;
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

/**
 * A form that creates or changes a record of a hookified resource. It sends by `controller.fetch`, so lists and
 * details elsewhere on the page update.
 *
 * An error is announced, at the fields that the server names, and the inputs keep their values. A second submit while one is pending sends
 * nothing. When an expiry removes the form from the screen, its text comes back after the same user has signed in again.
 *
 * @throws TypeError when the resource has no endpoint for the action.
 * @example
 * <ResourceForm
 *   resource={ArticleResource}
 *   action="partialUpdate"
 *   params={{ id: article.id }}
 *   initial={article}
 *   fields={[{ name: 'title', label: 'Title', required: true }]}
 * />
 */
export function ResourceForm<R extends object, A extends FormAction>(props: ResourceFormProps<R, A>): ReactNode {
  const { resource, action, fields, initial, onSuccess, renderError, getFieldErrors, className } = props;
  const controller = useController();
  const reportedWrite = useReportedWrites();
  const endpoint = useActionEndpoint(resource, action);
  const labels = useWidgetLabels(props.labels);
  if (isDevelopment && action === 'update' && initial === undefined) warnOnce(LOSES_FIELDS);
  const creates = action === 'push' || action === 'unshift';
  const submitLabel = props.submitLabel ?? (creates ? labels.create : labels.save);

  const params = useStableParams((props.params as object | undefined) ?? {}) ?? {};
  // Another record is another form: text for one record must not be sent to another.
  const formKey = JSON.stringify([action, endpoint.name, paramsKey(params)]);

  const send = async (values: FormValues, baseline: FormValues) => {
    const body = toActionBody(action, fields, initial, values, baseline);
    // Without changes there is nothing to send.
    if (action === 'partialUpdate' && Object.keys(body).length === 0)
      return callUserCallback(() => onSuccess?.(initial as RecordOf<R>));
    const record: unknown = await reportedWrite(
      endpoint,
      () => controller.fetch(endpoint, creates ? params : pathParams(endpoint, params), body) as Promise<unknown>,
    );
    callUserCallback(() => onSuccess?.(record as RecordOf<R>));
  };
  return (
    <FieldsForm
      key={formKey}
      className={['dca-form', className].filter(Boolean).join(' ')}
      label={props.label ?? submitLabel}
      fields={fields}
      initial={initial}
      submitLabel={submitLabel}
      pendingLabel={labels.saving}
      draftKey={formKey}
      resetOnSuccess={creates}
      labels={labels}
      renderError={renderError}
      getFieldErrors={getFieldErrors}
      onSubmit={send}
    />
  );
}

const LOSES_FIELDS =
  '<ResourceForm action="update"> has no `initial`. A PUT replaces the whole record, so the fields that the form does not have are lost. Pass the record as `initial`, or use action="partialUpdate".';

/** @throws TypeError when the resource has no endpoint for the action. */
function useActionEndpoint(resource: object, action: FormAction): LooseEndpoint {
  const getList = (resource as { useGetList?: () => LooseEndpoint }).useGetList?.();
  const { update, partialUpdate } = useMutations(resource);
  const endpoint = {
    push: () => getList && toCreateEndpoint(getList.push),
    unshift: () => getList && toCreateEndpoint(getList.unshift),
    update: () => update,
    partialUpdate: () => partialUpdate,
  }[action]();
  if (!endpoint)
    throw new TypeError(
      `The resource has no endpoint for the action "${action}". Give ResourceForm a hookified resource that has one: pass hookifyResource(resource).`,
    );
  return endpoint;
}

/**
 * The request body. An update compares the values of the inputs, not of the record: a null, or a number stored as
 * text, looks different in an input without being a change.
 */
function toActionBody(
  action: FormAction,
  fields: readonly FormField[],
  initial: object | undefined,
  values: FormValues,
  baseline: FormValues,
): object {
  const changesSince = (before: FormValues) =>
    toRequestBody(
      fields.filter(({ name }) => values[name] !== before[name]),
      values,
    );
  if (action === 'partialUpdate') return changesSince(baseline);
  if (action === 'update') return { ...initial, ...changesSince(toFormValues(fields, initial)) };
  return toRequestBody(fields, values);
}
