import type { FieldErrors } from './fieldErrors.js';
import { entriesOf } from './fieldValues.js';
import { findField, type FormField, type FormValues } from './FormField.js';

/** The errors of a rejected form, as the form shows them. */
export interface AssignedErrors {
  readonly byField: ReadonlyMap<string, string>;
  /** Messages that belong to no field of the form. */
  readonly ofForm: readonly string[];
}

export const NO_ERRORS: AssignedErrors = { byField: new Map(), ofForm: [] };

/** At most this many messages are shown for each field and for the form. */
const MAX_MESSAGES = 20;
/** A server may send such values by mistake. They are shown only if the form has a field with that name. */
const SECRET_NAME = /token|password|secret|stack|trace/i;

/**
 * Assigns each message to its field, or to the form. A message about one entry of a list (`tags.0`) says which.
 *
 * @param values The values that were sent.
 */
export function assignErrors(
  fields: readonly FormField[],
  errors: FieldErrors,
  values: FormValues = {},
): AssignedErrors {
  const byField = new Map<string, string[]>();
  const ofForm: string[] = [];
  for (const [path, messages] of Object.entries(errors)) {
    const field = findField(fields, path);
    if (!field && SECRET_NAME.test(path)) continue;
    const target = field ? (byField.get(field.name) ?? []) : ofForm;
    if (field) byField.set(field.name, target);
    const shown = messages.slice(0, MAX_MESSAGES - target.length);
    const about = field ? findEntry(field, values, path) : inWords(path);
    target.push(...(about ? shown.map(message => `${about}: ${message}`) : shown));
  }
  return {
    byField: new Map(
      [...byField].filter(([, messages]) => messages.length > 0).map(([name, messages]) => [name, messages.join(' ')]),
    ),
    ofForm,
  };
}

/** `organisation_id` and `author.lastName` become `organisation id` and `author last name`. */
function inWords(path: string): string {
  return path
    .replace(/[._-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
}

/** The entry of a list that a path names. Undefined for a path of the whole field, and for an entry that was not sent. */
function findEntry(field: FormField, values: FormValues, path: string): string | undefined {
  const index = /^\.(\d+)/.exec(path.slice(field.name.length))?.[1];
  return index === undefined ? undefined : entriesOf(field, values[field.name])[Number(index)];
}
