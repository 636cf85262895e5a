import type { HTMLInputAutoCompleteAttribute } from 'react';

/** One input of a form. */
export interface FormField<Name extends string = string> {
  /** The field of the record, or of the login. */
  readonly name: Name;
  /** Stands beside the input, and names it. */
  readonly label: string;
  /** @default 'text' */
  readonly type?: 'text' | 'textarea' | 'password' | 'email' | 'url' | 'tel' | 'search' | 'number' | 'date' | 'checkbox';
  /** The form is not sent without it. @default false */
  readonly required?: boolean;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
}

/** What stands in a form, by the names of its fields. */
export type FormValues = Readonly<Record<string, string | boolean>>;

/** What a form's values are as fields of a record: a number where the input takes one, null where that is left empty. */
export function toRequestBody(fields: readonly FormField[], values: FormValues): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, type }): [string, unknown] => {
      const value = values[name];
      if (type !== 'number') return [name, value];
      return [name, value === '' ? null : Number(value)];
    }),
  );
}

/** What stands in a form's inputs for a record: text, and for a checkbox whether it is checked. */
export function toFormValues(fields: readonly FormField[], record: object | undefined): FormValues {
  const given = (record ?? {}) as Record<string, unknown>;
  return Object.fromEntries(fields.map(({ name, type }) => [name, type === 'checkbox' ? given[name] === true : textOf(given[name])]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The field of a form that a path names, or begins with, in whichever case. */
export function findField(fields: readonly FormField[], path: string): FormField | undefined {
  const [head = ''] = path.split('.');
  return findFieldByName(fields, path) ?? findFieldByName(fields, head);
}

function findFieldByName(fields: readonly FormField[], name: string): FormField | undefined {
  return fields.find(field => field.name === name) ?? fields.find(field => field.name.toLowerCase() === name.toLowerCase());
}
