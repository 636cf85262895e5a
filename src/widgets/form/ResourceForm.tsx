import { type ReactNode, useRef, useState } from 'react';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { paramNames } from '../../endpoints/path.js';
import { isDevelopment } from '../../isDevelopment.js';
import type { AskedQuestion, Permission } from '../../permissions/PermissionAnswers.js';
import { usePermissions } from '../../permissions/usePermissions.js';
import { failureKind } from '../labels/failureKind.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { ErrorView } from '../shared/ErrorView.js';
import { findEntity } from '../shared/findList.js';
import { PartialInitialWarning } from '../shared/PartialRecordWarning.js';
import { type LooseEndpoint, type LooseParams, paramsKey, useStableParams } from '../shared/resource.js';
import type { FieldErrors } from './fieldErrors.js';
import { FieldsForm } from './FieldsForm.js';
import {
  createDraftKey,
  type FormAction,
  type FormParams,
  type FormResult,
  type FormSubject,
  isCreation,
  isEdit,
  type RequiredFormParams,
  useActionEndpoint,
  useSendRecord,
} from './formAction.js';
import { assertFields, type FieldName, type FormField, type FormValues, isShown } from './FormField.js';
import { isLoaderFocused, RecordLoader, useEditedRecord } from './RecordLoader.js';

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
   * The initial values of the inputs. For `update` and `partialUpdate`, a field that the user has not changed follows it, and so does the
   * rest of the record: a record of the store follows the store. For other actions it is read when the form is mounted, and again when
   * `params` name another record. A PUT sends all of it with the changes, so it must be the whole record, and not the row of a list that
   * has a part. A PATCH sends the changes only.
   * @default for `update` and `partialUpdate`: the record, which the form reads with `get`. It takes the store's if the store has the fields of
   * the form (`partialUpdate`) or an answer to `get` (`update`), else it fetches it. For other actions: empty inputs.
   */
  initial?: Partial<FormSubject<R, A>> | undefined;
  /**
   * Called with the record that the server responded with, or with what an endpoint of your own resolves with. Where the server does not say
   * which record it has created, with what was sent. An error that it throws is
   * reported as uncaught and does not undo the success.
   */
  onSuccess?: ((result: FormResult<R, A>) => void) | undefined;
  /**
   * Called when they change: with the values as the inputs hold them, and with the names of the fields that the user has changed and the
   * server has not accepted. After a success it is called before `onSuccess`, and when the form goes away, with no changed field.
   */
  onChange?: ((values: FormValues, changed: readonly string[]) => void) | undefined;
  /** The browser asks the user before it leaves or reloads a page with unsaved changes. @default false */
  warnBeforeLeaving?: boolean | undefined;
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
   * Returns the field errors in the JSON body of a rejected form (400, 409, 422); undefined where the form shall read them.
   * @default the lists and maps of a path and a message in the body: `{ errors: { title: ['…'] } }`, `{ detail: [{ loc: ['body', 'title'], msg: '…' }] }`
   */
  getFieldErrors?: ((body: unknown, error: Error) => FieldErrors | undefined) | undefined;
  /** The text of the button. @default “Create” or “Save” */
  submitLabel?: string | undefined;
  /** Shown before the button, in its line: a link or a button that cancels, with the class `dca-button`. @default nothing */
  actions?: ReactNode;
  /** Accessible name of the form (`aria-label`). @default the text of its button */
  label?: string | undefined;
  /** Overrides for built-in texts. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** Added to the class `dca-form`. */
  className?: string | undefined;
}

/**
 * A form that creates or changes a record of a hookified resource, or calls another endpoint of it. It sends by `controller.fetch`, so lists
 * and details elsewhere on the page update. A form with a file field sends `multipart/form-data`.
 *
 * An error is announced, at the fields that the server names, and the inputs keep their values. A second submit while one is pending sends
 * nothing. After a conflict (409 or 412), a button loads the record again, and what the user has typed stays. When an expiry removes the form from the screen, its text comes back after the same user has signed in again; passwords do not.
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
  return <RecordForm key={formKey} {...(props as LooseFormProps)} endpoint={endpoint} params={params} />;
}

/** The props as the form's own code reads them: a record is any object. */
type LooseFormProps = Omit<
  ResourceFormProps<object, never>,
  'action' | 'fields' | 'initial' | 'onSuccess' | 'params'
> & {
  action: string;
  fields: readonly FormField[];
  initial?: object | undefined;
  onSuccess?: ((result: unknown) => void) | undefined;
};

interface RecordFormProps extends LooseFormProps {
  endpoint: LooseEndpoint;
  params: LooseParams;
}

/** The form of one record, once its initial values are known. */
function RecordForm({ resource, action, endpoint, params, fields, ...props }: RecordFormProps) {
  const labels = useWidgetLabels(props.labels);
  const [loaded, setLoaded] = useState<object>();
  const loader = useRef<HTMLDivElement>(null);
  const creates = isCreation(action);
  const edits = isEdit(action);
  const edited = useEditedRecord(edits ? resource : undefined, params, {
    initial: props.initial,
    loaded,
  });
  const { record: initial, get, load } = edited;
  const className = ['dca-form', props.className].filter(Boolean).join(' ');
  const { asked, denied, refusal } = useFormPermissions({ action, endpoint, params, fields, record: initial });
  const sendRecord = useSendRecord({ action, endpoint, params, initial, get, asked, denied });

  if (edits && initial === undefined && canLoad(resource))
    return (
      <RecordLoader
        resource={resource}
        action={action}
        params={params}
        fields={fields}
        labels={labels}
        className={className}
        region={loader}
        onLoad={setLoaded}
      />
    );

  const send = (...values: Parameters<typeof sendRecord>) =>
    sendRecord(...values).catch((error: Error) => {
      if (failureKind(error) === 'conflict') edited.expire();
      throw error;
    });

  const submitLabel = props.submitLabel ?? (creates ? labels.create : labels.save);
  return (
    <>
      {action === 'update' && !loaded && <PartialInitialWarning record={props.initial} />}
      <FieldsForm
        className={className}
        label={props.label ?? submitLabel}
        fields={fields}
        initial={initial}
        followsInitial={edits}
        submitLabel={submitLabel}
        pendingLabel={labels.saving}
        actions={props.actions}
        draftKey={createDraftKey(action, endpoint, params)}
        resetOnSuccess={props.resetOnSuccess ?? !edits}
        success={props.success ?? (creates || props.success === null ? undefined : labels.saved)}
        labels={labels}
        denied={denied}
        isReadOnly={refusal !== undefined}
        note={refusal && <RefusalNote permission={refusal} labels={labels} />}
        renderError={props.renderError}
        getFieldErrors={props.getFieldErrors}
        // Read when the form replaces the loader, which is still there: a dialog may have opened since the record came. Later renders ignore it.
        autoFocus={isLoaderFocused(loader.current)}
        onSubmit={send}
        onSuccess={props.onSuccess}
        onChange={props.onChange}
        warnBeforeLeaving={props.warnBeforeLeaving}
        onReload={load && (async () => setLoaded(await load()))}
      />
    </>
  );
}

function canLoad(resource: object): resource is { readonly useGet: () => LooseEndpoint } {
  return 'useGet' in resource;
}

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
function useFormPermissions({ action, endpoint, params, fields, record }: FormPermissionsOptions): FormPermissions {
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

/** Says why a form cannot be sent. Where that could not be found out, a button asks again. */
function RefusalNote({ permission, labels }: { permission: Permission; labels: WidgetLabels }): ReactNode {
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
