// Warnings about a record of which the store has a part only: the row of a list, without the fields of the detail.
import { useEffect } from 'react';
import { useReceivedFields } from '../../dataClient/receivedFields.js';
import { useResponseExpiry } from '../../dataClient/storedResponses.js';
import { isDevelopment } from '../../isDevelopment.js';
import { warnOnce } from '../../warnOnce.js';
import type { LooseEndpoint, LooseParams } from './resource.js';

interface PartialDetailWarningProps {
  endpoint: LooseEndpoint;
  params: LooseParams;
  record: unknown;
}

/** Warns in development when a detail shows such a record: nothing is fetched, and it looks as if the other fields were empty. */
export const PartialDetailWarning = isDevelopment ? DetailWarning : () => null;

function DetailWarning({ endpoint, params, record }: PartialDetailWarningProps) {
  const hasAnswer = useResponseExpiry(endpoint.key(params)) > 0;
  const missing = useFieldsByDefault(record);
  useEffect(() => {
    if (hasAnswer || missing === '') return;
    warnOnce(
      `<ResourceDetail> shows a record that another response has brought, such as a list, without ${missing}. So nothing is fetched, and these fields are empty. ${REMEDY}`,
    );
  }, [hasAnswer, missing]);
  return null;
}

/** Warns in development when a PUT would lose fields that the form's `initial` lacks. Undefined is no `initial` at all. */
export const PartialInitialWarning = isDevelopment ? InitialWarning : () => null;

function InitialWarning({ record }: { record: object | undefined }) {
  const missing = useFieldsByDefault(record);
  useEffect(() => {
    if (missing === '') return;
    warnOnce(
      `The \`initial\` of <ResourceForm action="update"> has ${missing} from its class only: no response has had them, such as the row of a list. A PUT replaces the whole record, so what the server has there is lost. Leave out \`initial\`, and the form reads the record with \`get\`; or use action="partialUpdate". ${REMEDY}`,
    );
  }, [missing]);
  if (record === undefined) warnOnce(LOSES_FIELDS);
  return null;
}

const REMEDY =
  'See “Partial records” in the guide “Lists and forms”. Declare a field that the server may leave out as optional: `name?: string`.';
const LOSES_FIELDS =
  '<ResourceForm action="update"> has no `initial`, and its resource has no `get` to read the record with. A PUT replaces the whole record, so the fields that the form does not have are lost. Pass the record as `initial`, or use action="partialUpdate".';

/** The names of the fields that have only the default of the Entity class. A field whose default is undefined is optional. */
function useFieldsByDefault(record: unknown): string {
  const received = useReceivedFields(record);
  if (received === undefined) return '';
  const { defaults = {} } = (record as object).constructor as { defaults?: Readonly<Record<string, unknown>> };
  const missing = Object.keys(defaults).filter(name => defaults[name] !== undefined && !Object.hasOwn(received, name));
  return missing.map(name => `\`${name}\``).join(', ');
}
