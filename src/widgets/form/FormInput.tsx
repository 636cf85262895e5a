import { useState, type ReactNode } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import type { FormField } from './FormField.js';

interface FormInputProps {
  id: string;
  field: FormField;
  value: string | boolean;
  /** The server's messages for this field. */
  error: string | undefined;
  /** The id of an error that may be about any field. */
  formErrorId: string | undefined;
  isSending: boolean;
  labels: WidgetLabels;
  onChange: (value: string | boolean) => void;
}

/** One labelled input with its error. */
export function FormInput({
  id,
  field,
  value,
  error,
  formErrorId,
  isSending,
  labels,
  onChange,
}: FormInputProps): ReactNode {
  const { name, type = 'text', required, autoComplete } = field;
  const [isPasswordShown, setPasswordShown] = useState(false);
  // Browsers store submitted text as suggestions, so a shown password is hidden before the form is sent.
  const isReadable = isPasswordShown && !isSending;

  const common = {
    id,
    name,
    required,
    autoComplete,
    className: 'dca-input',
    'aria-describedby': error ? `${id}-error` : formErrorId,
    'aria-invalid': error ? true : undefined,
    ...(isLiteral(field) && { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }),
  };
  const inputs = {
    textarea: () => <textarea {...common} value={String(value)} onChange={event => onChange(event.target.value)} />,
    checkbox: () => (
      <input {...common} type="checkbox" checked={value === true} onChange={event => onChange(event.target.checked)} />
    ),
    password: () => (
      <span className="dca-password">
        <input
          {...common}
          type={isReadable ? 'text' : 'password'}
          value={String(value)}
          onChange={event => onChange(event.target.value)}
        />{' '}
        <button
          type="button"
          className="dca-button"
          aria-pressed={isReadable}
          aria-controls={id}
          onClick={() => setPasswordShown(!isReadable)}
        >
          {labels.showPassword}
        </button>
      </span>
    ),
    other: () => (
      <input {...common} type={type} value={String(value)} onChange={event => onChange(event.target.value)} />
    ),
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

/** A user name, an address or a secret: on-screen keyboards must not capitalize or correct it. */
function isLiteral({ type, autoComplete = '' }: FormField): boolean {
  return type === 'password' || type === 'email' || /\b(?:username|email)\b/.test(autoComplete);
}
