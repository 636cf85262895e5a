import { useController } from '@data-client/react';
import type { AskedQuestion } from '../../permissions/PermissionAnswers.js';
import { pathParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';
import { useReportedWrites } from '../shared/useReportFailure.js';
import { changedFields, toFormValues, toRequestBody } from './fieldValues.js';
import { isEdit } from './formAction.js';
import type { FormField, FormValues } from './FormField.js';

interface SendRecordOptions {
  action: string;
  endpoint: LooseEndpoint;
  params: LooseParams;
  fields: readonly FormField[];
  /** The initial record. Undefined while it is loaded, and for a new one. */
  initial: object | undefined;
  /** The question whether the user may do this: a 403 is a new answer. */
  asked: AskedQuestion;
  /** Fields that the user may not change are not sent. */
  denied: ReadonlyMap<string, unknown>;
}

/**
 * Returns the function that sends what the user has changed, and resolves with the server's answer; with the initial record
 * when there is nothing to send.
 */
export function useSendRecord({ action, endpoint, params, fields, initial, asked, denied }: SendRecordOptions) {
  const controller = useController();
  const reportedWrite = useReportedWrites();
  /** @param baseline The values that the inputs had at first. */
  return async (values: FormValues, baseline: FormValues): Promise<unknown> => {
    // An update compares the values of the inputs, not of the record: a null, or a number stored as text, looks
    // different in an input without being a change.
    const before = action === 'update' ? toFormValues(fields, initial) : baseline;
    const changed = isEdit(action) ? changedFields(fields, values, before) : fields;
    const sent = changed.filter(({ name }) => !denied.has(name));
    if (action === 'partialUpdate' && sent.length === 0) return initial;
    const body = toRequestBody(fields, values, { sent, initial, base: action === 'update' ? initial : undefined });
    const allOrPath = isEdit(action) ? pathParams(endpoint, params) : params;
    return reportedWrite(endpoint, asked, () => controller.fetch(endpoint, allOrPath, body) as Promise<unknown>);
  };
}
