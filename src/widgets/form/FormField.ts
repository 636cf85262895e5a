import type { HTMLInputAutoCompleteAttribute } from 'react';

/** One input of a form. */
export interface FormField<Name extends string = string> {
  /** The name of the record's field, or of the login value. */
  readonly name: Name;
  /** Shown beside the input, and its accessible name. */
  readonly label: string;
  /** @default 'text' */
  readonly type?:
    'text' | 'textarea' | 'password' | 'email' | 'url' | 'tel' | 'search' | 'number' | 'date' | 'checkbox';
  /** The browser does not submit the form while the input is empty. @default false */
  readonly required?: boolean;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
}

/** The values of a form by field name: a boolean for a checkbox, else text. */
export type FormValues = Readonly<Record<string, string | boolean>>;

/** Converts the values to a request body: a number input gives a number, or null when it is empty. */
export function toRequestBody(fields: readonly FormField[], values: FormValues): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, type }): [string, unknown] => {
      const value = values[name];
      if (type !== 'number') return [name, value];
      return [name, value === '' ? null : Number(value)];
    }),
  );
}

/** Converts a record to the values of a form. A value that no input can show becomes empty. */
export function toFormValues(fields: readonly FormField[], record: object | undefined): FormValues {
  const recordValues = (record ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    fields.map(({ name, type }) => [
      name,
      type === 'checkbox' ? recordValues[name] === true : toText(recordValues[name]),
    ]),
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The field with the path's name, else with the name of its first segment (`tags` for `tags.0`). Ignores case. */
export function findField(fields: readonly FormField[], path: string): FormField | undefined {
  const [head = ''] = path.split('.');
  return findFieldByName(fields, path) ?? findFieldByName(fields, head);
}

function findFieldByName(fields: readonly FormField[], name: string): FormField | undefined {
  return (
    fields.find(field => field.name === name) ?? fields.find(field => field.name.toLowerCase() === name.toLowerCase())
  );
}
