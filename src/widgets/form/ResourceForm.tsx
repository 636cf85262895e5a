import { useController } from '@data-client/react';
import type { ReactNode } from 'react';
import { toCreateEndpoint, useMutations } from '../actions/useMutations.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabelsProvider.js';
import { paramsKey, pathParams, useStableParams } from '../shared/params.js';
import type { AnswerOf, ItemOf, LooseEndpoint, ParamsOf } from '../shared/resourceTypes.js';
import type { FieldErrors } from './fieldErrors.js';
import { FieldsForm, callUserCallback } from './FieldsForm.js';
import { toRequestBody, type FormField, type FormValues, toFormValues } from './FormField.js';

/** The record of a resource, as far as its types tell. */
type RecordOf<R> = R extends { useGet: unknown } ? AnswerOf<R, 'useGet'> : ItemOf<R>;

/** What a form can do, and the hook that it needs for it. */
interface Hooks {
  push: 'useGetList';
  unshift: 'useGetList';
  update: 'useUpdate';
  partialUpdate: 'usePartialUpdate';
}

/** The params of each action; of one of several, when that is not known. */
type FormParams<R, A extends keyof Hooks> = A extends keyof Hooks ? Exclude<ParamsOf<R, Hooks[A]>, null> : never;

export interface ResourceFormProps<R extends object, A extends keyof Hooks> {
  /** A hookified resource with the hook that the action needs. */
  resource: R;
  /** `push` and `unshift` create a record at the end or the start of its list, `update` replaces one (PUT), `partialUpdate` changes it (PATCH). */
  action: A;
  /** The params of the list for a creation, of the record for a change. */
  params?: FormParams<R, A> | undefined;
  /** The inputs, in order. */
  fields: readonly FormField<Extract<keyof RecordOf<R>, string>>[];
  /**
   * What stands in the inputs at first, and again when the params name another record. A PUT sends all of it, with the changes; a
   * PATCH sends the changes only.
   */
  initial?: Partial<RecordOf<R>> | undefined;
  /** Called with what the server has made of it. What it throws is reported, and does not undo that. */
  onSuccess?: ((record: RecordOf<R>) => void) | undefined;
  /** A refusal, in words or otherwise. It is announced. @default what happened in words */
  renderError?: ((error: Error) => ReactNode) | undefined;
  /** Tells what the server has refused at which field, from the JSON of its answer. @default `fieldErrors`, without lone texts of names that are no field */
  getFieldErrors?: ((answer: unknown, error: Error) => FieldErrors) | undefined;
  /** The word on the button. @default the word for creating, or for saving */
  submitLabel?: string | undefined;
  /** The name of the form, for those who do not see it. @default the word on its button */
  label?: string | undefined;
  /** The words that the widget says by itself. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** A class beside `dca-form`. */
  className?: string | undefined;
}

/**
 * Creates or changes a record of a hookified resource, by `controller.fetch`: lists and details elsewhere on the page follow. A
 * refusal is announced, at the fields that the server names, and keeps what was typed; a second press while the first is under way sends
 * nothing. What an expiry takes off the screen comes back when the same person signs in again.
 *
 * @example
 * <ResourceForm
 *   resource={ArticleResource}
 *   action="partialUpdate"
 *   params={{ id: article.id }}
 *   initial={article}
 *   fields={[{ name: 'title', label: 'Title', required: true }]}
 * />
 */
export function ResourceForm<R extends object, A extends keyof Hooks>(props: ResourceFormProps<R, A>): ReactNode {
  const { resource, action, fields, initial, onSuccess, renderError, getFieldErrors, className } = props;
  const controller = useController();
  const endpoint = useActionEndpoint(resource, action);
  const labels = useWidgetLabels(props.labels);
  const creates = action === 'push' || action === 'unshift';
  const submitLabel = props.submitLabel ?? (creates ? labels.create : labels.save);

  const given = useStableParams((props.params as object | undefined) ?? {}) ?? {};
  // Another record is another form: what was typed into one is never sent to the other.
  const formKey = JSON.stringify([action, endpoint.name, paramsKey(given)]);

  const send = async (values: FormValues, baseline: FormValues) => {
    const body = bodyFor(action, fields, initial, values, baseline);
    // Nothing was changed: there is nothing to send.
    if (action === 'partialUpdate' && Object.keys(body).length === 0) return callUserCallback(() => onSuccess?.(initial as RecordOf<R>));
    const params = creates ? given : pathParams(endpoint, given);
    const record: unknown = await controller.fetch(endpoint, params, body);
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

/** @throws TypeError when the resource has no hook for the action. */
function useActionEndpoint(resource: object, action: keyof Hooks): LooseEndpoint {
  const getList = (resource as { useGetList?: () => LooseEndpoint }).useGetList?.();
  const { update, partialUpdate } = useMutations(resource);
  const endpoint = {
    push: () => getList && toCreateEndpoint(getList.push),
    unshift: () => getList && toCreateEndpoint(getList.unshift),
    update: () => update,
    partialUpdate: () => partialUpdate,
  }[action]();
  if (!endpoint) throw new TypeError(`The resource has no endpoint for the action "${action}". Give ResourceForm a hookified resource that has one.`);
  return endpoint;
}

/**
 * What is sent, by the inputs that say something else than before, so that a null or a number held as text, of which the input
 * knows nothing, is not taken for a change.
 */
function bodyFor(action: keyof Hooks, fields: readonly FormField[], initial: object | undefined, values: FormValues, baseline: FormValues): object {
  const changesTo = (before: FormValues) => toRequestBody(fields.filter(({ name }) => values[name] !== before[name]), values);
  if (action === 'partialUpdate') return changesTo(baseline);
  if (action === 'update') return { ...initial, ...changesTo(toFormValues(fields, initial)) };
  return toRequestBody(fields, values);
}
