import { useRef, useState } from 'react';
import { useAsyncAction } from '../actions/useAsyncAction.js';
import { failureKind } from '../labels/failureKind.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { assignErrors, NO_ERRORS, type AssignedErrors } from './assignErrors.js';
import { accept, clear, editedFields, enter, NO_EDITS, pick, shownValues } from './edits.js';
import { readErrors, readValidationBody, type FieldErrors } from './fieldErrors.js';
import { toFormValues } from './fieldValues.js';
import { findField, isShown, type FieldValue, type FormField, type FormValues } from './FormField.js';
import { useDraft } from './useDraft.js';

export interface FieldsFormOptions {
  fields: readonly FormField[];
  initial?: object | undefined;
  /** Fields that the user has not changed follow `initial`. @default false: the first one counts */
  followsInitial?: boolean;
  labels: WidgetLabels;
  /** Sends the values, with the fields that the user has changed. When it rejects, the inputs keep their values. */
  onSubmit: (values: FormValues, changed: readonly FormField[]) => Promise<unknown>;
  /** Loads the record again, after a conflict. @default it cannot be loaded */
  onReload?: (() => Promise<unknown>) | undefined;
  /** Resets the inputs after a success. @default false: they keep what was sent */
  resetOnSuccess?: boolean;
  getFieldErrors?: ((body: unknown, error: Error) => FieldErrors) | undefined;
  /** Identifies the form on the page, so that its text survives an expiry. @default the text does not survive */
  draftKey?: string | undefined;
}

export interface FieldsFormState {
  readonly values: FormValues;
  /** The fields that the user has changed. */
  readonly changed: readonly FormField[];
  /** True while a submit is pending. */
  readonly pending: boolean;
  /** Why the last submit failed. */
  readonly error: Error | undefined;
  /** Its messages, as they were when it failed. */
  readonly errors: AssignedErrors;
  /** Returns the message at a field; undefined once the user has edited the field. */
  readonly getFieldError: (name: string) => string | undefined;
  /** True after a success, until the next edit or submit. */
  readonly isDone: boolean;
  readonly change: (name: string, value: FieldValue) => void;
  /** Adds the values that inputs hold without an event. */
  readonly takeOver: (read: FormValues) => void;
  /** No effect while a submit is pending. @param read The values that inputs hold without an event. */
  readonly submit: (read: FormValues) => void;
  /** Loads the record that another user has changed. Undefined where the last submit met no conflict. */
  readonly reload: (() => void) | undefined;
  readonly isReloading: boolean;
}

/** The values of a form and its submit. Text stays until the server has accepted it. */
export function useFieldsForm(options: FieldsFormOptions): FieldsFormState {
  const { fields, initial, labels, onSubmit, onReload, followsInitial, resetOnSuccess, draftKey } = options;
  const shown = fields.filter(isShown);
  const {
    getFieldErrors = body => readErrors(body, path => findField(shown, path) !== undefined, labels.invalidField),
  } = options;
  const [first] = useState(initial);
  const ofRecord = toFormValues(fields, followsInitial ? initial : first);
  const [edits, setEdits] = useState(NO_EDITS);
  const values = shownValues(fields, ofRecord, edits);
  const changed = editedFields(fields, edits);
  const { pending, error, run } = useAsyncAction();
  const [errors, setErrors] = useState(NO_ERRORS);
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const [isDone, setDone] = useState(false);
  const [isReloading, setReloading] = useState(false);
  const isSending = useRef(false);
  const isNewer = useRef(false);

  // A password is not stored after its form has gone, not even in memory.
  const unsaved = changed.filter(({ type }) => type !== 'password');
  useDraft({
    key: draftKey,
    unsaved: unsaved.length === 0 ? undefined : pick(values, unsaved),
    restore: draft => unsaved.length === 0 && setEdits(current => enter(current, draft, values)),
  });

  const takeOver = (read: FormValues) => {
    if (Object.keys(read).length > 0) setEdits(current => enter(current, read, values));
  };

  const send = async (read: FormValues) => {
    const sent = enter(edits, read, values);
    const sentValues = shownValues(fields, ofRecord, sent);
    takeOver(read);
    isNewer.current = false;
    setReloading(false);
    setErrors(NO_ERRORS);
    setDone(false);
    try {
      await onSubmit(sentValues, editedFields(fields, sent));
    } catch (failure) {
      const messages = getFieldErrors(await readValidationBody(failure), failure as Error);
      setEdited(new Set());
      setErrors(assignErrors(shown, messages, sentValues));
      throw failure;
    }
    // The newer text of an edit is not saved.
    setDone(resetOnSuccess || !isNewer.current);
    const settle = resetOnSuccess ? clear : accept;
    setEdits(current => settle(current, fields, sentValues, ofRecord));
  };

  const start = (call: () => Promise<unknown>) => {
    if (isSending.current) return;
    isSending.current = true;
    run(call)
      .catch(() => undefined)
      .finally(() => (isSending.current = false));
  };

  return {
    values,
    changed,
    pending,
    error,
    errors,
    getFieldError: name => (edited.has(name) ? undefined : errors.byField.get(name)),
    isDone,
    change(name, value) {
      setEdits(current => enter(current, { [name]: value }, values));
      setEdited(current => new Set(current).add(name));
      isNewer.current = true;
      setDone(false);
    },
    takeOver,
    submit: read => start(() => send(read)),
    // A conflict about fields, such as a name that is taken, is the user's own to solve.
    reload:
      onReload && error && errors.byField.size === 0 && failureKind(error) === 'conflict'
        ? () => {
            setReloading(true);
            start(onReload);
          }
        : undefined,
    isReloading: isReloading && pending,
  };
}
