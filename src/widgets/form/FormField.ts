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
