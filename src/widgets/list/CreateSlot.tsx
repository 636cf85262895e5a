import type { ReactNode } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { usePermissions } from '../../permissions/usePermissions.js';
import { warnOnce } from '../../warnOnce.js';
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
  list: ListOptions;
  /** `push` or `unshift` of the list. */
  addEndpoint: LooseEndpoint;
  params: LooseParams | null;
  labels: WidgetLabels;
  /** Called when the server has created a row, with the row if it is known. */
  onCreated: (row: object | undefined) => Promise<void> | undefined;
}

/** Creates rows of a list: by `renderCreate`, or by a form with `fields`. Shows nothing to users who may not create one. */
export function CreateSlot({ list, addEndpoint, params, labels, onCreated }: CreateSlotViewProps): ReactNode {
  if (isDevelopment && !list.fields?.length && !list.renderCreate) warnOnce(NO_INPUTS);
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
  if (list.renderCreate) return wrapText(list.renderCreate({ create, pending, error }));
  const { fields = [] } = list;
  return (
    <FieldsForm
      className="dca-form"
      label={labels.create}
      fields={fields}
      submitLabel={labels.create}
      pendingLabel={labels.saving}
      draftKey={createDraftKey(list.create, addEndpoint, params ?? {})}
      resetOnSuccess
      labels={labels}
      onSubmit={(values, _changed, sent) => create(toRequestBody(sent, values))}
    />
  );
}

const NO_INPUTS =
  'A list with `create` and without `fields` shows a form that has a button only. Give the list the inputs as `fields`, or a form of your own as `renderCreate`.';
