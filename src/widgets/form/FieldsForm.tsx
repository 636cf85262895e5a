import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { notifyListeners } from '../../notifyListeners.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useAsyncAction } from '../actions/useAsyncAction.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import { ErrorText } from '../shared/ErrorText.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { assignErrors, NO_ERRORS, readValidationBody } from './assignErrors.js';
import { readErrors, type FieldErrors } from './fieldErrors.js';
import { changedFields, toFormValues } from './fieldValues.js';
import { findField, isShown, type FieldValue, type FormField, type FormValues } from './FormField.js';
import { FormInput } from './FormInput.js';
import { useDraft } from './useDraft.js';

interface FieldsFormProps {
  className: string;
  label: string | undefined;
  fields: readonly FormField[];
  initial?: object | undefined;
  submitLabel: string;
  pendingLabel: string;
  labels: WidgetLabels;
  /** Sends the values. `baseline` is the last accepted values, or the initial ones. When it rejects, the inputs keep their values. */
  onSubmit: (values: FormValues, baseline: FormValues) => Promise<unknown>;
  /** Resets the inputs after a success. @default false: they keep what was sent */
  resetOnSuccess?: boolean;
  /** Announced beside the button after a success, until the next edit or submit. @default no text */
  success?: ReactNode;
  /** Marks required fields beside their labels. @default true */
  marksRequired?: boolean;
  /** The text for an error without messages for the form. @default `labels.failure` */
  describe?: ((error: Error, serverMessage?: string) => string) | undefined;
  renderError?: ((error: Error) => ReactNode) | undefined;
  getFieldErrors?: ((body: unknown, error: Error) => FieldErrors) | undefined;
  /** Identifies the form on the page, so that its text survives an expiry. @default the text does not survive */
  draftKey?: string | undefined;
  /** Shown as a heading above everything else. @default no heading */
  title?: ReactNode;
  /** Shown below the button. @default nothing */
  links?: ReactNode;
  /** Shown above the fields. The element with `noteId` describes the form. */
  note?: ReactNode;
  noteId?: string | undefined;
  /** The fields that the user may not change, with the reason. Their inputs are disabled. @default none */
  denied?: ReadonlyMap<string, string | undefined> | undefined;
  /** Shows neither inputs that can be changed nor a button. @default false */
  isReadOnly?: boolean;
  /** Focuses the first input when the form is mounted and no other element has the focus. @default false */
  autoFocus?: boolean;
}

/**
 * Labelled inputs and a submit button. Text stays until the server has accepted it, and a second submit while one is
 * pending sends nothing.
 */
export function FieldsForm({
  fields,
  initial,
  onSubmit,
  resetOnSuccess,
  labels,
  draftKey,
  autoFocus,
  success,
  marksRequired = true,
  denied,
  isReadOnly = false,
  ...props
}: FieldsFormProps): ReactNode {
  const {
    describe = labels.failure,
    renderError,
    getFieldErrors = body => readErrors(body, path => findField(shown, path) !== undefined, labels.invalidField),
  } = props;
  const shown = fields.filter(isShown);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  // Only the first initial record counts: a later one must not change what the user sees.
  const [record] = useState(initial);
  const [typed, setTyped] = useState<FormValues>({});
  const [accepted, setAccepted] = useState<FormValues>({});
  const defaults = toFormValues(fields, record);
  const values = { ...defaults, ...typed };
  const baseline = { ...defaults, ...accepted };
  const { pending, error, run } = useAsyncAction();
  const [errors, setErrors] = useState(NO_ERRORS);
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const [isDone, setDone] = useState(false);
  const isSending = useRef(false);
  const showsPending = useDelayedFlag(pending);

  // A password is not stored after its form has gone, not even in memory.
  const unsaved = changedFields(fields, values, baseline).filter(({ type }) => type !== 'password');
  useDraft({
    key: draftKey,
    unsaved: unsaved.length === 0 ? undefined : pick(values, unsaved),
    restore: draft => unsaved.length === 0 && setTyped(draft),
  });

  const findFirstInput = () => form.current?.querySelector<HTMLElement>('.dca-input');
  useBeforePaint(() => {
    if (autoFocus && document.activeElement === document.body) findFirstInput()?.focus();
  }, []);
  // A note may go away together with its button, which the user has just pressed.
  useRestoreFocus(form, findFirstInput);
  useEffect(() => {
    const isElsewhere = document.activeElement !== document.body && !form.current?.contains(document.activeElement);
    if (errors.byField.size > 0 && !isElsewhere) form.current?.querySelector<HTMLElement>(FIRST_INVALID)?.focus();
  }, [errors]);

  const change = (name: string, value: FieldValue) => {
    setTyped(current => ({ ...current, [name]: value }));
    setEdited(current => new Set(current).add(name));
    setDone(false);
  };

  const send = async () => {
    setErrors(NO_ERRORS);
    setDone(false);
    try {
      await onSubmit(values, baseline);
    } catch (failure) {
      const messages = getFieldErrors(await readValidationBody(failure), failure as Error);
      setEdited(new Set());
      setErrors(assignErrors(shown, messages, values));
      throw failure;
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSending.current || isReadOnly) return;
    isSending.current = true;
    run(send)
      .then(
        () => {
          setDone(true);
          if (!resetOnSuccess) return setAccepted(values);
          // Text that was typed while the response was pending has not been accepted, so it stays.
          return setTyped(current => (current === typed ? {} : current));
        },
        () => undefined,
      )
      .finally(() => (isSending.current = false))
      .catch(() => undefined);
  };

  return (
    <form
      ref={form}
      className={props.className}
      aria-label={props.label}
      aria-describedby={props.noteId}
      aria-busy={pending}
      onSubmit={submit}
    >
      {props.title != null && <h2 className="dca-title">{props.title}</h2>}
      {props.note}
      {fields.map(field =>
        !isShown(field) ? (
          <input key={field.name} type="hidden" name={field.name} value={values[field.name] as string} />
        ) : (
          <FormInput
            key={field.name}
            id={`${id}-${field.name}`}
            field={field}
            value={values[field.name] ?? ''}
            error={edited.has(field.name) ? undefined : errors.byField.get(field.name)}
            // An error that names no field may be about any of them.
            formErrorId={error && errors.byField.size === 0 ? `${id}-error` : undefined}
            marksRequired={marksRequired}
            isSending={pending}
            isDisabled={isReadOnly || denied?.has(field.name) === true}
            disabledBecause={denied?.get(field.name)}
            labels={labels}
            onChange={value => change(field.name, value)}
          />
        ),
      )}
      {error && (
        <ErrorText
          error={error}
          labels={labels}
          // Messages at the fields say more than the server's summary of them.
          describe={errors.byField.size > 0 ? failure => describe(failure) : describe}
          override={renderError ? renderError(error) : errors.ofForm.join(' ') || undefined}
          className="dca-form-error"
          id={`${id}-error`}
        />
      )}
      {/* Not `disabled`: a disabled button loses the focus. */}
      {!isReadOnly && (
        <button type="submit" className="dca-button" aria-disabled={showsPending}>
          {showsPending ? props.pendingLabel : props.submitLabel}
        </button>
      )}
      {/* Always there: screen readers announce text that appears in it. */}
      {success !== undefined && (
        <span role="status" className="dca-form-status">
          {isDone && success}
        </span>
      )}
      {props.links != null && <div className="dca-links">{props.links}</div>}
    </form>
  );
}

/** The input to which an error belongs: that of the field, or the first one of its group. */
const FIRST_INVALID = '[aria-invalid="true"]:not(fieldset), fieldset[aria-invalid="true"] input';

function pick(values: FormValues, fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map(({ name }) => [name, values[name] as FieldValue]));
}

/** Calls a callback of the app. An error of the app is reported as uncaught and does not turn the success into a failure. */
export function callUserCallback(callback: () => void): void {
  notifyListeners(new Set([callback]));
}
