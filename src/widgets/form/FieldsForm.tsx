import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { notifyListeners } from '../../notifyListeners.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useRun } from '../actions/useRuns.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useLate } from '../shared/Late.js';
import { useKeptFocus } from '../shared/useKeptFocus.js';
import { type FieldErrors, readErrors } from './fieldErrors.js';
import { fieldAt, type FormField, type FormValues, valuesOf } from './FormField.js';
import { FormInput } from './FormInput.js';
import { NO_ERRORS, placeErrors, refusalOf } from './placeErrors.js';
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
  onSubmit: (values: FormValues, accepted: FormValues) => Promise<unknown>;
  /** What the form holds after a success: what it held at first, or what was sent. */
  afterwards: 'empty' | 'kept';
  /** A failure in words, where the server has none for what is not at a field. @default `labels.failure` */
  describe?: ((error: Error) => string) | undefined;
  renderError?: ((error: Error) => ReactNode) | undefined;
  fieldErrorsOf?: ((answer: unknown, error: Error) => FieldErrors) | undefined;
  /** Tells this form from others of the page: its text survives an expiry. Absent: it does not. */
  draftKey?: string | undefined;
  /** Stands above the fields; the element with `noteId` describes the form. */
  note?: ReactNode;
  noteId?: string | undefined;
  /** True for a form that has come in place of what had the focus. */
  takesFocus?: boolean;
}

/** Labelled inputs and one button: text is kept until it has been accepted, over an expiry too, and nothing is sent twice. */
export function FieldsForm({ fields, initial, onSubmit, afterwards, labels, draftKey, takesFocus, ...props }: FieldsFormProps): ReactNode {
  const { describe = labels.failure, renderError, fieldErrorsOf = answer => readErrors(answer, path => fieldAt(fields, path) !== undefined) } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => valuesOf(fields, initial));
  const [accepted, setAccepted] = useState(values);
  const { pending, error, run } = useRun();
  const [refusal, setRefusal] = useState(NO_ERRORS);
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const isSending = useRef(false);
  const isLate = useLate(pending);

  const isUntouched = JSON.stringify(values) === JSON.stringify(accepted);
  useDraft({ key: draftKey, unsaved: isUntouched ? undefined : values, restore: draft => isUntouched && setValues(draft) });

  const firstInput = () => form.current?.querySelector<HTMLElement>('.dca-input');
  useBeforePaint(() => {
    if (takesFocus && document.activeElement === document.body) firstInput()?.focus();
  }, []);
  // A note may leave with the button that the user has just pressed.
  useKeptFocus(form, firstInput);
  useEffect(() => {
    const isElsewhere = document.activeElement !== document.body && !form.current?.contains(document.activeElement);
    if (refusal.atFields.size > 0 && !isElsewhere) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal]);

  const change = (name: string, value: string | boolean) => {
    setValues(now => ({ ...now, [name]: value }));
    setEdited(now => new Set(now).add(name));
  };

  const send = async () => {
    setRefusal(NO_ERRORS);
    try {
      await onSubmit(values, accepted);
    } catch (failure) {
      const errors = fieldErrorsOf(await refusalOf(failure), failure as Error);
      setEdited(new Set());
      setRefusal(placeErrors(fields, errors));
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
          if (afterwards === 'kept') return setAccepted(values);
          // What was typed while the answer was on its way is not what was accepted.
          return setValues(now => (now === values ? accepted : now));
        },
        () => undefined,
      )
      .finally(() => (isSending.current = false))
      .catch(() => undefined);
  };

  const inWords = (failure: Error) => refusal.elsewhere.join(' ') || describe(failure);
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
          error={edited.has(field.name) ? undefined : refusal.atFields.get(field.name)}
          // What is not at a field may be about any.
          formErrorId={error && refusal.atFields.size === 0 ? `${id}-error` : undefined}
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
      <button type="submit" className="dca-button" aria-disabled={isLate}>
        {isLate ? props.pendingLabel : props.submitLabel}
      </button>
    </form>
  );
}

/** Calls back the app. What it throws is the app's error, and is reported like any uncaught one: what has been done stays done. */
export function tellApp(tell: () => void): void {
  notifyListeners(new Set([tell]));
}
