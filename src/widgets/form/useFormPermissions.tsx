import { useState, type ReactNode } from 'react';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { paramNames } from '../../endpoints/path.js';
import { isDevelopment } from '../../isDevelopment.js';
import type { AskedQuestion, Permission } from '../../permissions/PermissionAnswers.js';
import { usePermissions } from '../../permissions/usePermissions.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { ErrorView } from '../shared/ErrorView.js';
import { findEntity } from '../shared/findList.js';
import type { LooseEndpoint, LooseParams } from '../shared/resource.js';
import { isCreation } from './formAction.js';
import { assertFields, isShown, type FormField } from './FormField.js';

interface FormPermissionsOptions {
  action: string;
  endpoint: LooseEndpoint;
  params: LooseParams;
  fields: readonly FormField[];
  /** The initial record. Undefined while it is loaded, and for a new one. */
  record: object | undefined;
}

interface FormPermissions {
  /** The question about the form as a whole. */
  readonly asked: AskedQuestion;
  /** The fields that the user may not change, or not yet, with the reason. */
  readonly denied: ReadonlyMap<string, string | undefined>;
  /** Why the form as a whole cannot be sent: what is denied, or not known yet. Undefined when it can. */
  readonly refusal: Permission | undefined;
}

/** Asks whether the user may do what the form does, and change each of its fields. Everything is allowed without `can` on the provider. */
export function useFormPermissions({
  action,
  endpoint,
  params,
  fields,
  record,
}: FormPermissionsOptions): FormPermissions {
  if (isDevelopment) assertFields(fields);
  const asked: AskedQuestion = {
    action: WORDS[action] ?? action,
    on: subjectOf(action, endpoint, params, record),
    record,
  };
  const names = fields.filter(isShown).map(({ name }) => name);
  const [form, ...ofFields] = usePermissions([asked, ...names.map(field => ({ ...asked, field }))]) ?? [];
  const denied = new Map(
    ofFields.flatMap(({ status, reason }, index) => (status === 'allowed' ? [] : [[names[index]!, reason] as const])),
  );
  return { asked, denied, refusal: form?.status === 'allowed' ? undefined : form };
}

const WORDS: Readonly<Record<string, string>> = {
  push: 'create',
  unshift: 'create',
  update: 'update',
  partialUpdate: 'update',
};

/** The record that the form changes, or the class of those that it creates. Undefined for an endpoint without an entity. */
function subjectOf(action: string, { schema, path }: LooseEndpoint, params: LooseParams, record: object | undefined) {
  const entity = findEntity(schema) as { readonly key: string } | undefined;
  if (!entity || isCreation(action)) return entity;
  const id = (record && getPrimaryKey(record)) ?? params[paramNames(path).at(-1) ?? ''];
  return { type: entity.key, id };
}

interface RefusalNoteProps {
  permission: Permission;
  labels: WidgetLabels;
}

/** Says why a form cannot be sent. Where that could not be found out, a button asks again. */
export function RefusalNote({ permission, labels }: RefusalNoteProps): ReactNode {
  const { status, reason, error, retry } = permission;
  const [retried, setRetried] = useState<Error>();
  if (status === 'pending') return null;
  if (!error || !retry) return <p className="dca-note">{reason ?? labels.denied}</p>;
  const askAgain = () => {
    setRetried(error);
    retry();
  };
  return <ErrorView error={error} retry={askAgain} pending={error === retried} labels={labels} />;
}
