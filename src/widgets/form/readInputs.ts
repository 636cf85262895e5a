// What the browser's inputs hold without an event: text that was typed before the page was hydrated, or filled in by a password manager; a
// file that was chosen again.
import { isSameValue } from './fieldValues.js';
import { isShown, type FieldValue, type FormField, type FormValues } from './FormField.js';

/** The values of inputs that differ from those of the form. Not of inputs that the app renders. */
export function readInputs(form: HTMLFormElement, fields: readonly FormField[], values: FormValues): FormValues {
  const read = fields.flatMap(field => {
    const input = form.elements.namedItem(field.name);
    if (!isShown(field) || field.renderField || !isTextInput(input) || input.disabled) return [];
    const value = readInput(input, values[field.name]);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(read);
}

type TextInput = HTMLInputElement | HTMLTextAreaElement;

function isTextInput(input: Element | RadioNodeList | null): input is TextInput {
  return input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement;
}

/** Undefined for an input that holds the value. */
function readInput(input: TextInput, value: FieldValue | undefined): FieldValue | undefined {
  if (typeof value === 'boolean')
    return input instanceof HTMLInputElement && input.checked !== value ? input.checked : undefined;
  const files = (input as Partial<HTMLInputElement>).files;
  if (files) return isSameValue([...files], value) ? undefined : [...files];
  if (typeof value !== 'string' || input.type === 'radio' || input.value === value) return undefined;
  // An input changes the text that it is given: it removes spaces around an address, and the \r of a line.
  const other = input.cloneNode() as TextInput;
  other.value = value;
  return input.value === other.value ? undefined : input.value;
}
