import { useState, type ReactNode } from 'react';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { PartialInitialWarning } from '../shared/PartialRecordWarning.js';
import { paramsKey, useStableParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';
import { callUserCallback, FieldsForm } from './FieldsForm.js';
import { isCreation, isEdit, useActionEndpoint, type FormAction, type RequiredFormParams } from './formAction.js';
import { RecordLoader } from './RecordLoader.js';
import { RefusalNote } from './RefusalNote.js';
import type { LooseFormProps, ResourceFormProps } from './ResourceFormProps.js';
import { useFormPermissions } from './useFormPermissions.js';
import { useSendRecord } from './useSendRecord.js';

/**
 * A form that creates or changes a record of a hookified resource, or calls another endpoint of it. It sends by `controller.fetch`, so lists
 * and details elsewhere on the page update. A form with a file field sends `multipart/form-data`.
 *
 * An error is announced, at the fields that the server names, and the inputs keep their values. A second submit while one is pending sends
 * nothing. When an expiry removes the form from the screen, its text comes back after the same user has signed in again; passwords do not.
 *
 * @throws TypeError when the resource has no endpoint for the action.
 * @example
 * <ResourceForm
 *   resource={Articles}
 *   action="partialUpdate"
 *   params={{ id: article.id }}
 *   initial={article}
 *   fields={[{ name: 'title', label: 'Title', required: true }]}
 * />
 */
export function ResourceForm<R extends object, A extends FormAction<R>>(
  props: ResourceFormProps<R, A> & RequiredFormParams<R, A>,
): ReactNode {
  const endpoint = useActionEndpoint(props.resource, props.action);
  const params = useStableParams((props.params as object | undefined) ?? {}) ?? {};
  // Another record is another form: text for one record must not be sent to another.
  const formKey = JSON.stringify([props.action, endpoint.name, paramsKey(params)]);
  // TypeScript has checked the props through `R` and `A`.
  return (
    <RecordForm key={formKey} formKey={formKey} {...(props as LooseFormProps)} endpoint={endpoint} params={params} />
  );
}

interface RecordFormProps extends LooseFormProps {
  endpoint: LooseEndpoint;
  params: LooseParams;
  formKey: string;
}

/** The form of one record, once its initial values are known. */
function RecordForm({ resource, action, endpoint, params, formKey, fields, onSuccess, ...props }: RecordFormProps) {
  const labels = useWidgetLabels(props.labels);
  const [loaded, setLoaded] = useState<{ readonly record: object; readonly hadFocus: boolean }>();
  const initial = props.initial ?? loaded?.record;
  const creates = isCreation(action);
  const edits = isEdit(action);
  const className = ['dca-form', props.className].filter(Boolean).join(' ');
  const { asked, denied, refusal } = useFormPermissions({ action, endpoint, params, fields, record: initial });
  const sendRecord = useSendRecord({ action, endpoint, params, fields, initial, asked, denied });

  if (edits && initial === undefined && canLoad(resource))
    return (
      <RecordLoader
        resource={resource}
        action={action}
        params={params}
        fields={fields}
        labels={labels}
        className={className}
        onLoad={(record, hadFocus) => setLoaded({ record, hadFocus })}
      />
    );

  const send = async (...values: Parameters<typeof sendRecord>) => {
    const result = await sendRecord(...values);
    if (loaded && result !== initial && typeof result === 'object' && result !== null)
      setLoaded({ ...loaded, record: result });
    callUserCallback(() => onSuccess?.(result));
  };

  const submitLabel = props.submitLabel ?? (creates ? labels.create : labels.save);
  return (
    <>
      {action === 'update' && !loaded && <PartialInitialWarning record={props.initial} />}
      <FieldsForm
        className={className}
        label={props.label ?? submitLabel}
        fields={fields}
        initial={initial}
        submitLabel={submitLabel}
        pendingLabel={labels.saving}
        draftKey={formKey}
        resetOnSuccess={props.resetOnSuccess ?? !edits}
        success={props.success ?? (creates || props.success === null ? undefined : labels.saved)}
        labels={labels}
        denied={denied}
        isReadOnly={refusal !== undefined}
        note={refusal && <RefusalNote permission={refusal} labels={labels} />}
        renderError={props.renderError}
        getFieldErrors={props.getFieldErrors}
        autoFocus={loaded?.hadFocus ?? false}
        onSubmit={send}
      />
    </>
  );
}

function canLoad(resource: object): resource is { readonly useGet: () => LooseEndpoint } {
  return 'useGet' in resource;
}
