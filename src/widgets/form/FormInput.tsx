import type { ReactNode } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { FieldControl } from './FieldControl.js';
import type { FieldSlotProps, FieldValue, FormValues, ShownField } from './FormField.js';

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
