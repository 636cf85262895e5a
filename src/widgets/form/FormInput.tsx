import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { isExactNumber, isSameValue } from './fieldValues.js';
import type { FieldOption, FieldSlotProps, FieldValue, FormValues, RadioField, ShownField } from './FormField.js';

interface FormInputProps {
  id: string;
  field: ShownField;
  value: FieldValue;
  values: FormValues;
  /** The server's messages for this field. */
  error: string | undefined;
  /** The id of an error that may be about any field. */
  formErrorId: string | undefined;
  /** Marks a required field beside its label. */
  marksRequired: boolean;
  isSending: boolean;
  /** True if the user may not change the field. */
  isDisabled: boolean;
  /** Why the field is disabled, in the place of its hint. */
  disabledBecause: string | undefined;
  labels: WidgetLabels;
  onChange: (value: FieldValue) => void;
}

/** One labelled input with its hint and its error; a group of inputs for radio buttons. */
export function FormInput({
  id,
  field,
  value,
  values,
  error,
  formErrorId,
  marksRequired,
  isSending,
  isDisabled,
  disabledBecause,
  labels,
  onChange,
}: FormInputProps): ReactNode {
  const { name, label, type, required, renderField } = field;
  const hint = disabledBecause ?? field.hint ?? (type === 'list' && !renderField ? labels.onePerLine : undefined);
  const isGroup = type === 'radio';
  const describedBy =
    [hint && `${id}-hint`, error ? `${id}-error` : formErrorId].filter(Boolean).join(' ') || undefined;
  const slot: FieldSlotProps<FieldValue> = {
    value,
    values,
    onChange,
    error,
    inputProps: {
      id,
      name,
      required,
      disabled: isDisabled || undefined,
      className: 'dca-input',
      'aria-describedby': describedBy,
      'aria-invalid': error ? true : undefined,
    },
  };
  // The types allow a renderer only for the values of its own field.
  const render = renderField as ((slot: FieldSlotProps<FieldValue>) => ReactNode) | undefined;
  // The app may render blocks, which a paragraph must not contain.
  const Field = isGroup ? 'fieldset' : render ? 'div' : 'p';
  // Outside of the label: the mark is not part of the name.
  const mark = required && marksRequired && (
    <span className="dca-required" aria-hidden="true">
      {' *'}
    </span>
  );

  return (
    <Field
      className="dca-field"
      // Only a radio group may be invalid; a plain group may not.
      {...(isGroup && {
        role: 'radiogroup',
        'aria-required': required,
        'aria-describedby': describedBy,
        'aria-invalid': slot.inputProps['aria-invalid'],
      })}
    >
      {isGroup ? (
        <legend>
          {label}
          {mark}
        </legend>
      ) : (
        <span className="dca-label">
          <label id={`${id}-label`} htmlFor={id}>
            {label}
          </label>
          {mark}
        </span>
      )}
      {render ? render(slot) : <FieldControl field={field} slot={slot} isSending={isSending} labels={labels} />}
      {hint && (
        <span className="dca-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span className="dca-field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </Field>
  );
}

type FieldControlProps = Pick<FormInputProps, 'field' | 'isSending' | 'labels'> & { slot: FieldSlotProps<FieldValue> };

/** The browser's own input for a field. */
function FieldControl({ field, slot, isSending, labels }: FieldControlProps): ReactNode {
  const { value, onChange } = slot;
  const props = { ...attributesOf(field), ...slot.inputProps };
  const textProps = {
    ...props,
    value: value as string,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (field.type) {
    case 'textarea':
      return <textarea {...textProps} />;
    case 'list':
      return <ListInput props={props} parts={value as readonly string[]} onChange={onChange} />;
    case 'select': {
      const select = (
        <select {...textProps} onChange={event => onChange(readSelect(event.target))}>
          {!field.multiple && <option value="">{field.placeholder}</option>}
          {toOptions(field.options)}
        </select>
      );
      // The element around it is for the stylesheet's arrow. A list of several options has none.
      return field.multiple ? select : <span className="dca-select">{select}</span>;
    }
    case 'radio':
      return <RadioButtons field={field} slot={slot} />;
    case 'checkbox':
      return (
        <input {...props} type="checkbox" checked={value === true} onChange={event => onChange(event.target.checked)} />
      );
    case 'file':
      return <FileInput props={props} parts={value as readonly File[]} onChange={onChange} />;
    case 'number':
      return <NumberInput {...textProps} inexact={labels.inexactNumber} />;
    case 'password':
      return <PasswordInput {...textProps} isSending={isSending} label={labels.showPassword} />;
    default:
      return <input {...textProps} type={field.type ?? 'text'} />;
  }
}

const ATTRIBUTES = /* @__PURE__ */ new Set(
  /* @__PURE__ */ 'autoComplete placeholder min max step pattern minLength maxLength rows accept multiple size'.split(
    ' ',
  ),
);

/** The latest value of a field without a `max`: a year has four digits. Without it, browsers accept `20261`, which is no date in JSON. */
const LATEST: Readonly<Record<string, string>> = { date: '9999-12-31', 'datetime-local': '9999-12-31T23:59:59' };

/** The attributes that a field shares with its input. */
function attributesOf(field: ShownField): object {
  const { type = 'text', autoComplete = '' } = field;
  // On-screen keyboards must not capitalize or correct a user name, an address or a secret.
  const isLiteral =
    type === 'password' || type === 'email' || /\b(?:username|email|one-time-code)\b/.test(autoComplete);
  return {
    max: LATEST[type],
    ...Object.fromEntries(Object.entries(field).filter(([name, value]) => ATTRIBUTES.has(name) && value !== undefined)),
    ...(type === 'select' && { placeholder: undefined }),
    ...(autoComplete === 'one-time-code' && { inputMode: 'numeric' }),
    ...(isLiteral && { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }),
  };
}

/** The chosen texts of a select. */
export function readSelect({ multiple, selectedOptions, value }: HTMLSelectElement): FieldValue {
  return multiple ? [...selectedOptions].map(option => option.value) : value;
}

function toOptions(options: readonly FieldOption[]): ReactNode {
  return options.map(({ value, label }) => (
    <option key={String(value)} value={String(value)}>
      {label}
    </option>
  ));
}

/** The lines of a list field. */
export function readLines(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

type InputProps<Part> = { props: object; parts: readonly Part[]; onChange: (parts: readonly Part[]) => void };

/** One text on each line. An empty line is one that the user has just begun. */
function ListInput({ props, parts, onChange }: InputProps<string>): ReactNode {
  return <textarea {...props} value={parts.join('\n')} onChange={event => onChange(readLines(event.target.value))} />;
}

function RadioButtons({ field, slot }: { field: RadioField; slot: FieldSlotProps<FieldValue> }): ReactNode {
  const { id, name, className, disabled } = slot.inputProps;
  return field.options.map(({ value, label }, index) => (
    <label key={String(value)} className="dca-choice" htmlFor={`${id}-${index}`}>
      <input
        type="radio"
        value={String(value)}
        id={`${id}-${index}`}
        name={name}
        className={className}
        required={field.required}
        disabled={disabled}
        checked={slot.value === String(value)}
        onChange={() => slot.onChange(String(value))}
      />{' '}
      {label}
    </label>
  ));
}

/** The browser holds the files. They are set when the form is emptied, and when it gets its files back after an expiry. */
function FileInput({ props, parts: files, onChange }: InputProps<File>): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  useBeforePaint(() => {
    if (!input.current || isSameValue([...(input.current.files ?? [])], files)) return;
    if (files.length === 0) {
      input.current.value = '';
      return;
    }
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    input.current.files = transfer.files;
  }, [files]);
  return <input {...props} ref={input} type="file" onChange={event => onChange([...(event.target.files ?? [])])} />;
}

/** A number that would change on its way is refused. The wheel scrolls the page, and leaves the number alone. */
function NumberInput({ inexact, ...props }: ComponentProps<'input'> & { value: string; inexact: string }): ReactNode {
  return (
    <input
      {...props}
      type="number"
      onChange={event => {
        event.target.setCustomValidity(isExactNumber(event.target.value) ? '' : inexact);
        props.onChange?.(event);
      }}
      // The browser changes no number that is read-only. It decides after the event.
      onWheel={({ currentTarget }) => {
        if (currentTarget.readOnly) return;
        currentTarget.readOnly = true;
        setTimeout(() => (currentTarget.readOnly = false));
      }}
    />
  );
}

interface PasswordInputProps extends ComponentProps<'input'> {
  value: string;
  isSending: boolean;
  label: string;
}

function PasswordInput({ value, isSending, label, ...props }: PasswordInputProps): ReactNode {
  const [isShown, setShown] = useState(false);
  const input = useRef<HTMLInputElement>(null!);
  const previous = useRef('');
  // Not by the prop `value`, which React copies into the attribute: style sheets, and tools that record the page, can read that.
  useBeforePaint(() => {
    // Before the first value, the input may have text that was typed before the page was hydrated.
    if (value !== previous.current && value !== input.current.value) input.current.value = value;
    previous.current = value;
  }, [value]);
  // Browsers store submitted text as suggestions, so a shown password is hidden before the form is sent.
  const isReadable = isShown && !isSending;
  return (
    <span className="dca-password">
      <input {...props} ref={input} type={isReadable ? 'text' : 'password'} />{' '}
      <button
        type="button"
        className="dca-button"
        title={label}
        aria-pressed={isReadable}
        aria-controls={props.id}
        // A form may have several passwords.
        aria-describedby={`${props.id}-label`}
        onClick={() => setShown(!isReadable)}
      >
        <svg
          width="20"
          height="20"
          viewBox="0 0 20 20"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          pointerEvents="none"
          aria-hidden="true"
        >
          <path d="M1.5 10s3-6 8.5-6 8.5 6 8.5 6-3 6-8.5 6-8.5-6-8.5-6z" />
          <circle cx="10" cy="10" r="2.5" />
          {isReadable && <path d="M3.5 16.5l13-13" />}
        </svg>
        {/* Not `aria-label`: a test that looks for the label “Password” would find two. */}
        <span>{label}</span>
      </button>
    </span>
  );
}
