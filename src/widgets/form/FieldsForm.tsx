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
import { findField, toFormValues, type FormField, type FormValues } from './FormField.js';
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
  ...props
}: FieldsFormProps): ReactNode {
  const {
    describe = labels.failure,
    renderError,
    getFieldErrors = body => readErrors(body, path => findField(fields, path) !== undefined),
  } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => toFormValues(fields, initial));
  const [baseline, setBaseline] = useState(values);
  const { pending, error, run } = useAsyncAction();
  const [errors, setErrors] = useState(NO_ERRORS);
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const isSending = useRef(false);
  const showsPending = useDelayedFlag(pending);

  const isUnchanged = JSON.stringify(values) === JSON.stringify(baseline);
  useDraft({
    key: draftKey,
    unsaved: isUnchanged ? undefined : values,
    restore: draft => isUnchanged && setValues(draft),
  });

  const findFirstInput = () => form.current?.querySelector<HTMLElement>('.dca-input');
  useBeforePaint(() => {
    if (autoFocus && document.activeElement === document.body) findFirstInput()?.focus();
  }, []);
  // A note may go away together with its button, which the user has just pressed.
  useRestoreFocus(form, findFirstInput);
  useEffect(() => {
    const isElsewhere = document.activeElement !== document.body && !form.current?.contains(document.activeElement);
    if (errors.byField.size > 0 && !isElsewhere)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);

  const change = (name: string, value: string | boolean) => {
    setValues(current => ({ ...current, [name]: value }));
    setEdited(current => new Set(current).add(name));
  };

  const send = async () => {
    setErrors(NO_ERRORS);
    try {
      await onSubmit(values, baseline);
    } catch (failure) {
      const messages = getFieldErrors(await readValidationBody(failure), failure as Error);
      setEdited(new Set());
      setErrors(assignErrors(fields, messages));
      throw failure;
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    run(send)
      .then(
        () => {
          if (!resetOnSuccess) return setBaseline(values);
          // Text that was typed while the response was pending has not been accepted, so it stays.
          return setValues(current => (current === values ? baseline : current));
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
      {fields.map(field => (
        <FormInput
          key={field.name}
          id={`${id}-${field.name}`}
          field={field}
          value={values[field.name] ?? ''}
          error={edited.has(field.name) ? undefined : errors.byField.get(field.name)}
          // An error that names no field may be about any of them.
          formErrorId={error && errors.byField.size === 0 ? `${id}-error` : undefined}
          isSending={pending}
          labels={labels}
          onChange={value => change(field.name, value)}
        />
      ))}
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
      <button type="submit" className="dca-button" aria-disabled={showsPending}>
        {showsPending ? props.pendingLabel : props.submitLabel}
      </button>
      {props.links != null && <div className="dca-links">{props.links}</div>}
    </form>
  );
}

/** Calls a callback of the app. An error of the app is reported as uncaught and does not turn the success into a failure. */
export function callUserCallback(callback: () => void): void {
  notifyListeners(new Set([callback]));
}
