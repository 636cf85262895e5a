import { useCallback, useEffect, useInsertionEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { BoundSession } from '../../endpoints/boundSession.js';
import { useNearestSession } from '../../endpoints/SessionContext.js';
import { isDevelopment } from '../../isDevelopment.js';
import { callUserCallback } from '../../notifyListeners.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useLatest } from '../../providers/useLatest.js';
import { failureKind } from '../labels/failureKind.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { useAsyncAction } from '../shared/useAsyncAction.js';
import {
  type AssignedErrors,
  assignErrors,
  type FieldErrors,
  NO_ERRORS,
  readErrors,
  readValidationBody,
} from './fieldErrors.js';
import { changedFields, chosenOptions, isSameValue, toFormValues, withChosenOptions } from './fieldValues.js';
import {
  assertFields,
  type FieldOption,
  type FieldValue,
  type FormField,
  type FormValues,
  isShown,
} from './FormField.js';

export interface FieldsFormOptions {
  fields: readonly FormField[];
  initial?: object | undefined;
  /** Fields that the user has not changed follow `initial`. @default false: the first one counts */
  followsInitial?: boolean;
  labels: WidgetLabels;
  /** Sends the values of the fields, and says which of these the user has changed. When it rejects, the inputs keep their values. */
  onSubmit: (values: FormValues, changed: readonly FormField[], fields: readonly FormField[]) => Promise<unknown>;
  /** Called after the form has taken the success over: its changes are no changes any more. */
  onSuccess?: ((result: unknown) => void) | undefined;
  onChange?: ((values: FormValues, changed: readonly string[]) => void) | undefined;
  warnBeforeLeaving?: boolean | undefined;
  /** Loads the record again, after a conflict. @default it cannot be loaded */
  onReload?: (() => Promise<unknown>) | undefined;
  /** Resets the inputs after a success. @default false: they keep what was sent */
  resetOnSuccess?: boolean;
  getFieldErrors?: ((body: unknown, error: Error) => FieldErrors | undefined) | undefined;
  /** Identifies the form on the page, so that its text survives an expiry. @default the text does not survive */
  draftKey?: string | undefined;
}

interface FieldsFormState {
  /** The fields, with the chosen values among their options. */
  readonly fields: readonly FormField[];
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
  /** True if the user has edited each field with a message, and the form has no other message. */
  readonly isCorrected: boolean;
  /** True after a success, until the next edit or submit. */
  readonly isDone: boolean;
  readonly change: (name: string, value: FieldValue) => void;
  /** Shows why the browser does not accept the value of a field. */
  readonly refuse: (name: string, message: string) => void;
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
  const { initial, labels, onSubmit, onReload, followsInitial, resetOnSuccess, draftKey } = options;
  if (isDevelopment) assertFields(options.fields);
  const shown = options.fields.filter(isShown);
  const [first] = useState(initial);
  const record = followsInitial ? initial : first;
  const ofRecord = toFormValues(options.fields, record);
  const [edits, setEdits] = useState(NO_EDITS);
  const values = shownValues(options.fields, ofRecord, edits);
  const [chosen, setChosen] = useState<Readonly<Record<string, readonly FieldOption[]>>>({});
  const withChosen = (of: FormValues) =>
    options.fields.map(field => withChosenOptions(field, of[field.name], chosen[field.name], record));
  const fields = withChosen(values);
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

  useUnsavedChanges(options, values, changed);

  const takeOver = (read: FormValues) => {
    if (Object.keys(read).length > 0) setEdits(current => enter(current, read, values));
  };

  const send = async (read: FormValues) => {
    const sent = enter(edits, read, values);
    const sentValues = shownValues(fields, ofRecord, sent);
    const sentFields = withChosen(sentValues);
    takeOver(read);
    isNewer.current = false;
    setReloading(false);
    setErrors(NO_ERRORS);
    setDone(false);
    let result: unknown;
    try {
      result = await onSubmit(sentValues, editedFields(sentFields, sent), sentFields);
    } catch (failure) {
      const body = await readValidationBody(failure);
      const messages = options.getFieldErrors?.(body, failure as Error) ?? readErrors(body, shown, labels.invalidField);
      setEdited(new Set());
      setErrors(assignErrors(shown, messages, sentValues));
      throw failure;
    }
    const settle = resetOnSuccess ? clear : accept;
    // At once: a router that `onSuccess` calls would ask about changes that are saved.
    flushSync(() => {
      // The newer text of an edit is not saved.
      setDone(resetOnSuccess || !isNewer.current);
      setEdits(current => settle(current, fields, sentValues, ofRecord));
    });
    callUserCallback(() => options.onSuccess?.(result));
  };

  const start = (call: () => Promise<unknown>) => {
    if (isSending.current) return;
    isSending.current = true;
    run(call)
      .catch(() => undefined)
      .finally(() => (isSending.current = false));
  };

  return {
    fields,
    values,
    changed,
    pending,
    error,
    errors,
    getFieldError: name => (edited.has(name) ? undefined : errors.byField.get(name)),
    isCorrected:
      errors.byField.size > 0 &&
      errors.ofForm.length === 0 &&
      [...errors.byField.keys()].every(name => edited.has(name)),
    isDone,
    change(name, value) {
      setEdits(current => enter(current, { [name]: value }, values));
      // Kept when it is chosen: the app's list of options may change before the form is sent.
      const options = fields.flatMap(field => (field.name === name ? chosenOptions(field, value) : []));
      if (options.length > 0) setChosen(current => ({ ...current, [name]: options }));
      setEdited(current => new Set(current).add(name));
      isNewer.current = true;
      setDone(false);
    },
    refuse(name, message) {
      setErrors(({ ofForm, byField }) => ({ ofForm, byField: new Map(byField).set(name, message) }));
      setEdited(current => new Set([...current].filter(other => other !== name)));
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

/** Tells the app and the browser what is unsaved. */
function useUnsavedChanges(options: FieldsFormOptions, values: FormValues, changed: readonly FormField[]): void {
  const { fields, warnBeforeLeaving, onChange } = options;
  const names = changed.map(({ name }) => name);
  const last = useRef({ values, names });
  const report = useLatest((next: typeof last.current) => {
    last.current = next;
    callUserCallback(() => onChange?.(next.values, next.names));
  });
  useEffect(() => {
    const before = last.current;
    if (names.join() !== before.names.join() || changedFields(fields, values, before.values).length > 0)
      report.current({ values, names });
  });
  useEffect(
    () => () => void (last.current.names.length > 0 && report.current({ ...last.current, names: [] })),
    [report],
  );

  const isWarning = warnBeforeLeaving && names.length > 0;
  useEffect(() => {
    if (!isWarning) return undefined;
    const warn = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isWarning]);
}

/** What the user has changed in a form, on top of a record that may change too. */
interface Edits {
  /** What the user has entered. */
  readonly typed: FormValues;
  /** What each of these fields had before. */
  readonly before: FormValues;
  /** What the server has accepted. It counts until the record has something else than it had then. */
  readonly accepted: FormValues;
  /** What the record had then. */
  readonly replaced: FormValues;
}

const NO_EDITS: Edits = { typed: {}, before: {}, accepted: {}, replaced: {} };

/** The fields that the user has changed. Not one that has its old value again. */
function editedFields(fields: readonly FormField[], { typed, before }: Edits): FormField[] {
  return changedFields(fields, typed, before);
}

/** The values that a form shows. @param record The values of the newest record: fields that the user has not changed follow it. */
function shownValues(fields: readonly FormField[], record: FormValues, edits: Edits): FormValues {
  const { typed, accepted, replaced } = edits;
  const isReplaced = new Set(changedFields(fields, record, replaced));
  const stillAccepted = fields.filter(field => Object.hasOwn(accepted, field.name) && !isReplaced.has(field));
  return { ...record, ...pick(accepted, stillAccepted), ...pick(typed, editedFields(fields, edits)) };
}

/** The user enters values. @param shown What the form shows. */
function enter(edits: Edits, values: FormValues, shown: FormValues): Edits {
  const { typed, before } = edits;
  const names = Object.keys(values).filter(name => isSameValue(typed[name], before[name]));
  const shownThen = Object.fromEntries(names.map(name => [name, shown[name] as FieldValue]));
  return { ...edits, typed: { ...typed, ...values }, before: { ...before, ...shownThen } };
}

/** The server has accepted values. What the user has entered since stays. @param record The values of the record when they were sent. */
function accept(edits: Edits, fields: readonly FormField[], sent: FormValues, record: FormValues): Edits {
  const newer = changedFields(fields, edits.typed, sent).filter(({ name }) => Object.hasOwn(edits.typed, name));
  return {
    typed: pick(edits.typed, newer),
    before: pick(sent, newer),
    accepted: sent,
    replaced: record,
  };
}

/** The server has accepted values, and the form is emptied for the next ones. What the user has entered since stays. */
function clear(edits: Edits, fields: readonly FormField[], sent: FormValues, defaults: FormValues): Edits {
  const { typed } = accept(edits, fields, sent, defaults);
  return enter(NO_EDITS, typed, defaults);
}

function pick(values: FormValues, fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map(({ name }) => [name, values[name] as FieldValue]));
}

type DraftSession = BoundSession['session'];

/** Texts of forms that an expiry or another tab has removed from the screen: by subject, then by form. */
type Drafts = Map<string, Map<string, FormValues>>;

/** In memory only. */
const draftsBySession = new WeakMap<DraftSession, Drafts>();

interface DraftOptions {
  /** Identifies the form among those of a user. @default nothing is stored */
  readonly key: string | undefined;
  /** Text that has not been accepted yet; undefined when there is none. */
  readonly unsaved: FormValues | undefined;
  /** Called before the first paint with the stored text. */
  readonly restore: (values: FormValues) => void;
}

/**
 * Stores the text of a form when an expiry or another tab removes it from the screen, and restores it when the same user signs in again.
 *
 * No other user gets the text, and a sign-out deletes it. Users are compared by the session's subject only. Where the server's responses
 * name no user, each sign-in is another subject, and nothing is restored.
 */
function useDraft({ key, unsaved, restore }: DraftOptions): void {
  const session = useNearestSession()?.session;
  const subject = useSyncExternalStore(
    session?.subscribe ?? subscribeToNothing,
    session?.getSubject ?? getNoSubject,
    getNoSubject,
  );
  const latest = useLatest({ unsaved, restore });

  useBeforePaint(() => {
    if (!session || key === undefined || subject === undefined) return;
    const drafts = ensureDrafts(session).get(subject);
    const draft = drafts?.get(key);
    // Once: a form that was hidden for a while and is shown again has its own text.
    if (drafts?.delete(key)) latest.current.restore(draft!);
  }, [session, subject, key]);

  const endDraft = useCallback(() => {
    if (!session || key === undefined || subject === undefined) return;
    const drafts = ensureDrafts(session);
    const { unsaved: text } = latest.current;
    if (text && hasEndedElsewhere(session)) drafts.set(subject, new Map(drafts.get(subject)).set(key, text));
    else drafts.get(subject)?.delete(key);
  }, [session, subject, key, latest]);
  // At the end of the form, also if it is hidden then. `<Suspense>` ends the layout effects of what it hides, and `<Activity>` the passive
  // ones too. Neither ends insertion effects, but React 18 skips these when a hidden form is unmounted.
  useInsertionEffect(() => endDraft, [endDraft]);
  useEffect(() => endDraft, [endDraft]);
}

const subscribeToNothing = () => () => {};
const getNoSubject = () => undefined;

/** The drafts of a session. The first call subscribes to it, and a sign-out then deletes the drafts of the user who was signed in. */
function ensureDrafts(session: DraftSession): Drafts {
  const existing = draftsBySession.get(session);
  if (existing) return existing;
  const drafts: Drafts = new Map();
  draftsBySession.set(session, drafts);
  let lastSubject: string | undefined;
  const update = () => {
    lastSubject = session.getSubject() ?? lastSubject;
    if (session.getSnapshot().reason === 'signed-out' && lastSubject !== undefined) drafts.delete(lastSubject);
  };
  update();
  // Not `subscribe`: it would start the session while no provider is mounted.
  session.subscribeToCredential(update);
  return drafts;
}

/** Whether the server or another tab has ended the session, and not the user on this page. */
function hasEndedElsewhere(session: DraftSession): boolean {
  const { reason } = session.getSnapshot();
  return reason === 'expired' || reason === 'elsewhere' || reason === 'idle';
}
