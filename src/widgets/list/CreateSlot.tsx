import type { ReactNode } from 'react';
import { usePermissions } from '../../permissions/usePermissions.js';
import { wrapText } from '../../wrapText.js';
import { FieldsForm } from '../form/FieldsForm.js';
import { toRequestBody } from '../form/fieldValues.js';
import { createDraftKey, toCreateEndpoint, useCreate } from '../form/formAction.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { findEntity } from '../shared/findList.js';
import type { LooseEndpoint, LooseParams } from '../shared/resource.js';
import { useAsyncAction } from '../shared/useAsyncAction.js';
import type { ListOptions } from './ResourceListProps.js';

interface CreateSlotViewProps {
  create: NonNullable<ListOptions['create']>;
  /** `push` or `unshift` of the list. */
  addEndpoint: LooseEndpoint;
  params: LooseParams | null;
  labels: WidgetLabels;
  /** Called when the server has created a row, with the row if it is known. */
  onCreated: (row: object | undefined) => Promise<void> | undefined;
}

/** Creates rows of a list: by a form of the app, or with these fields. Shows nothing to users who may not create one. */
export function CreateSlot({
  create: { end, form },
  addEndpoint,
  params,
  labels,
  onCreated,
}: CreateSlotViewProps): ReactNode {
  const { pending, error, run } = useAsyncAction();
  const asked = { action: 'create', on: findEntity(addEndpoint.schema) };
  const [permission] = usePermissions([asked]) ?? [];
  const createRecord = useCreate(toCreateEndpoint(addEndpoint), asked);
  const create = async (body: unknown) => {
    const row = await run(() => createRecord(params ?? {}, body));
    // If the server does not return the row, `createRecord` resolves with the body that was sent.
    await onCreated(row === body ? undefined : (row as object));
    return row;
  };
  if (permission && permission.status !== 'allowed') return null;
  if (typeof form === 'function') return wrapText(form({ create, pending, error }));
  return (
    <FieldsForm
      className="dca-form"
      label={labels.create}
      fields={form}
      submitLabel={labels.create}
      pendingLabel={labels.saving}
      draftKey={createDraftKey(end, addEndpoint, params ?? {})}
      resetOnSuccess
      labels={labels}
      onSubmit={(values, _changed, sent) => create(toRequestBody(sent, values))}
    />
  );
}
