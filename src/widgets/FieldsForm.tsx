import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { FormField, FormValues } from './FormField.js';
import { useDraft } from './useDraft.js';
import { useRun } from './useRun.js';
import { valuesOf } from './valuesOf.js';

interface FieldsFormProps {
  className: string;
  label: string | undefined;
  fields: readonly FormField[];
  initial?: object | undefined;
  submitLabel: string;
  pendingLabel: string;
  /** `accepted` is what stood in the inputs at first, or was accepted last. Rejecting keeps everything that was typed. */
  onSubmit: (values: FormValues, accepted: FormValues) => Promise<unknown>;
  /** What the form holds after a success: what it held at first, or what was sent. */
  afterwards: 'empty' | 'kept';
  failure: (error: Error) => ReactNode;
  /** Tells this form from others of the page: its text survives an expiry. Absent: it does not. */
  draftKey?: string | undefined;
  /** Stands above the fields. */
  children?: ReactNode;
}

/** Labelled inputs and one button: text is kept until it has been accepted, over an expiry too, and nothing is sent twice. */
export function FieldsForm({ fields, initial, onSubmit, afterwards, failure, draftKey, children, ...props }: FieldsFormProps): ReactNode {
  const id = useId();
  const [values, setValues] = useState(() => valuesOf(fields, initial));
  const [accepted, setAccepted] = useState(values);
  const { pending, error, run } = useRun();
  const isSending = useRef(false);

  const isUntouched = JSON.stringify(values) === JSON.stringify(accepted);
  useDraft({ key: draftKey, unsaved: isUntouched ? undefined : values, restore: draft => isUntouched && setValues(draft) });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    run(() => onSubmit(values, accepted))
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

  return (
    <form className={props.className} aria-label={props.label} aria-busy={pending} onSubmit={submit}>
      {children}
      {fields.map(field => (
        <p key={field.name} className="dca-field">
          <label htmlFor={`${id}-${field.name}`}>{field.label}</label>
          <Input
            id={`${id}-${field.name}`}
            field={field}
            value={values[field.name] ?? ''}
            errorId={error && `${id}-error`}
            onChange={value => setValues(now => ({ ...now, [field.name]: value }))}
          />
        </p>
      ))}
      {error && (
        <p role="alert" className="dca-form-error" id={`${id}-error`}>
          {failure(error)}
        </p>
      )}
      <button type="submit" className="dca-button" aria-disabled={pending}>
        {pending ? props.pendingLabel : props.submitLabel}
      </button>
    </form>
  );
}

interface InputProps {
  id: string;
  field: FormField;
  value: string | boolean;
  errorId: string | undefined;
  onChange: (value: string | boolean) => void;
}

function Input({ id, field, value, errorId, onChange }: InputProps) {
  const { name, type = 'text', required, autoComplete } = field;
  const common = { id, name, required, autoComplete, className: 'dca-input', 'aria-describedby': errorId };
  if (type === 'textarea') return <textarea {...common} value={String(value)} onChange={event => onChange(event.target.value)} />;
  if (type === 'checkbox') return <input {...common} type="checkbox" checked={value === true} onChange={event => onChange(event.target.checked)} />;
  return <input {...common} type={type} value={String(value)} onChange={event => onChange(event.target.value)} />;
}
