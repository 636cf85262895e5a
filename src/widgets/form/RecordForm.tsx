import { useState } from 'react';
import { useWidgetLabels } from '../labels/WidgetLabelsProvider.js';
import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';
import { PartialInitialWarning } from '../shared/PartialRecordWarning.js';
import { callUserCallback, FieldsForm } from './FieldsForm.js';
import { isCreation, isEdit } from './formAction.js';
import { RecordLoader } from './RecordLoader.js';
import { RefusalNote } from './RefusalNote.js';
import type { LooseFormProps } from './ResourceFormProps.js';
import { useFormPermissions } from './useFormPermissions.js';
import { useSendRecord } from './useSendRecord.js';

interface RecordFormProps extends LooseFormProps {
  endpoint: LooseEndpoint;
  params: LooseParams;
  formKey: string;
}

/** The form of one record, once its initial values are known. */
export function RecordForm({
  resource,
  action,
  endpoint,
  params,
  formKey,
  fields,
  onSuccess,
  ...props
}: RecordFormProps) {
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
