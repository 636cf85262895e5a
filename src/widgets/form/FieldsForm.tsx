import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { notifyListeners } from '../../notifyListeners.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useAsyncAction } from '../actions/useAsyncAction.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { NO_ERRORS, assignErrors, readValidationBody } from './assignErrors.js';
import { type FieldErrors, readErrors } from './fieldErrors.js';
import { findField, type FormField, type FormValues, toFormValues } from './FormField.js';
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
  /** `accepted` is what stood in the inputs at first, or was accepted last. Rejecting keeps everything that was typed. */
  onSubmit: (values: FormValues, baseline: FormValues) => Promise<unknown>;
  /** What the form holds after a success: what it held at first, or what was sent. */
  resetOnSuccess: boolean;
  /** A failure in words, where the server has none for what is not at a field. @default `labels.failure` */
  describe?: ((error: Error) => string) | undefined;
  renderError?: ((error: Error) => ReactNode) | undefined;
  getFieldErrors?: ((answer: unknown, error: Error) => FieldErrors) | undefined;
  /** Tells this form from others of the page: its text survives an expiry. Absent: it does not. */
  draftKey?: string | undefined;
  /** Stands above the fields; the element with `noteId` describes the form. */
  note?: ReactNode;
  noteId?: string | undefined;
  /** True for a form that has come in place of what had the focus. */
  autoFocus?: boolean;
}

/** Labelled inputs and one button: text is kept until it has been accepted, over an expiry too, and nothing is sent twice. */
export function FieldsForm({ fields, initial, onSubmit, resetOnSuccess, labels, draftKey, autoFocus, ...props }: FieldsFormProps): ReactNode {
  const { describe = labels.failure, renderError, getFieldErrors = answer => readErrors(answer, path => findField(fields, path) !== undefined) } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => toFormValues(fields, initial));
  const [baseline, setBaseline] = useState(values);
  const { pending, error, run } = useAsyncAction();
  const [assigned, setAssigned] = useState(NO_ERRORS);
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const isSending = useRef(false);
  const showsPending = useDelayedFlag(pending);

  const isUntouched = JSON.stringify(values) === JSON.stringify(baseline);
  useDraft({ key: draftKey, unsaved: isUntouched ? undefined : values, restore: draft => isUntouched && setValues(draft) });

  const firstInput = () => form.current?.querySelector<HTMLElement>('.dca-input');
  useBeforePaint(() => {
    if (autoFocus && document.activeElement === document.body) firstInput()?.focus();
  }, []);
  // A note may leave with the button that the user has just pressed.
  useRestoreFocus(form, firstInput);
  useEffect(() => {
    const isElsewhere = document.activeElement !== document.body && !form.current?.contains(document.activeElement);
    if (assigned.byField.size > 0 && !isElsewhere) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [assigned]);

  const change = (name: string, value: string | boolean) => {
    setValues(now => ({ ...now, [name]: value }));
    setEdited(now => new Set(now).add(name));
  };

  const send = async () => {
    setAssigned(NO_ERRORS);
    try {
      await onSubmit(values, baseline);
    } catch (failure) {
      const errors = getFieldErrors(await readValidationBody(failure), failure as Error);
      setEdited(new Set());
      setAssigned(assignErrors(fields, errors));
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
          // What was typed while the answer was on its way is not what was accepted.
          return setValues(now => (now === values ? baseline : now));
        },
        () => undefined,
      )
      .finally(() => (isSending.current = false))
      .catch(() => undefined);
  };

  const inWords = (failure: Error) => assigned.ofForm.join(' ') || describe(failure);
  return (
    <form
      ref={form}
      className={props.className}
      aria-label={props.label}
      aria-describedby={props.noteId}
      aria-busy={pending}
      onSubmit={submit}
    >
      {props.note}
      {fields.map(field => (
        <FormInput
          key={field.name}
          id={`${id}-${field.name}`}
          field={field}
          value={values[field.name] ?? ''}
          error={edited.has(field.name) ? undefined : assigned.byField.get(field.name)}
          // What is not at a field may be about any.
          formErrorId={error && assigned.byField.size === 0 ? `${id}-error` : undefined}
          isSent={pending}
          labels={labels}
          onChange={value => change(field.name, value)}
        />
      ))}
      {error && (
        <p role="alert" className="dca-form-error" id={`${id}-error`}>
          {(renderError ?? inWords)(error)}
        </p>
      )}
      {/* Not `disabled`, which would take the focus away from it. */}
      <button type="submit" className="dca-button" aria-disabled={showsPending}>
        {showsPending ? props.pendingLabel : props.submitLabel}
      </button>
    </form>
  );
}

/** Calls back the app. What it throws is the app's error, and is reported like any uncaught one: what has been done stays done. */
export function callUserCallback(callback: () => void): void {
  notifyListeners(new Set([callback]));
}
