import { useState, type ReactNode } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import type { FormField } from './FormField.js';

interface FormInputProps {
  id: string;
  field: FormField;
  value: string | boolean;
  /** What the server has said of this field. */
  error: string | undefined;
  formErrorId: string | undefined;
  /** True while the form is on its way. */
  isSent: boolean;
  labels: WidgetLabels;
  onChange: (value: string | boolean) => void;
}

/** One labelled input, and what is wrong with it. */
export function FormInput({ id, field, value, error, formErrorId, isSent, labels, onChange }: FormInputProps): ReactNode {
  const { name, type = 'text', required, autoComplete } = field;
  const [isRead, setRead] = useState(false);
  // What is sent as text, browsers keep among the texts to suggest.
  const isShown = isRead && !isSent;

  const common = {
    id,
    name,
    required,
    autoComplete,
    className: 'dca-input',
    'aria-describedby': error ? `${id}-error` : formErrorId,
    'aria-invalid': error ? true : undefined,
    ...(isExact(field) && { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }),
  };
  const inputs = {
    textarea: () => <textarea {...common} value={String(value)} onChange={event => onChange(event.target.value)} />,
    checkbox: () => <input {...common} type="checkbox" checked={value === true} onChange={event => onChange(event.target.checked)} />,
    password: () => (
      <span className="dca-password">
        <input {...common} type={isShown ? 'text' : 'password'} value={String(value)} onChange={event => onChange(event.target.value)} />{' '}
        <button type="button" className="dca-button" aria-pressed={isShown} aria-controls={id} onClick={() => setRead(!isShown)}>
          {labels.showPassword}
        </button>
      </span>
    ),
    other: () => <input {...common} type={type} value={String(value)} onChange={event => onChange(event.target.value)} />,
  };

  return (
    <p className="dca-field">
      <label htmlFor={id}>{field.label}</label>
      {inputs[type in inputs ? (type as keyof typeof inputs) : 'other']()}
      {error && (
        <span className="dca-field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </p>
  );
}

/** A name or a secret that has to be given letter by letter: keyboards leave it as it is. */
function isExact({ type, autoComplete = '' }: FormField): boolean {
  return type === 'password' || type === 'email' || /\b(?:username|email)\b/.test(autoComplete);
}
