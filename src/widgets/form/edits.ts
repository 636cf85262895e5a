// What the user has changed in a form, on top of a record that may change too.
import { changedFields, isSameValue } from './fieldValues.js';
import type { FieldValue, FormField, FormValues } from './FormField.js';

interface Edits {
  /** What the user has entered. */
  readonly typed: FormValues;
  /** What each of these fields had before. */
  readonly before: FormValues;
  /** What the server has accepted. It counts until the record has something else than it had then. */
  readonly accepted: FormValues;
  /** What the record had then. */
  readonly replaced: FormValues;
}

export const NO_EDITS: Edits = { typed: {}, before: {}, accepted: {}, replaced: {} };

/** The fields that the user has changed. Not one that has its old value again. */
export function editedFields(fields: readonly FormField[], { typed, before }: Edits): FormField[] {
  return changedFields(fields, typed, before);
}

/** The values that a form shows. @param record The values of the newest record: fields that the user has not changed follow it. */
export function shownValues(fields: readonly FormField[], record: FormValues, edits: Edits): FormValues {
  const { typed, accepted, replaced } = edits;
  const isReplaced = new Set(changedFields(fields, record, replaced));
  const stillAccepted = fields.filter(field => field.name in accepted && !isReplaced.has(field));
  return { ...record, ...pick(accepted, stillAccepted), ...pick(typed, editedFields(fields, edits)) };
}

/** The user enters values. @param shown What the form shows. */
export function enter(edits: Edits, values: FormValues, shown: FormValues): Edits {
  const { typed, before } = edits;
  const names = Object.keys(values).filter(name => isSameValue(typed[name], before[name]));
  const shownThen = Object.fromEntries(names.map(name => [name, shown[name] as FieldValue]));
  return { ...edits, typed: { ...typed, ...values }, before: { ...before, ...shownThen } };
}

/** The server has accepted values. What the user has entered since stays. @param record The values of the record when they were sent. */
export function accept(edits: Edits, fields: readonly FormField[], sent: FormValues, record: FormValues): Edits {
  const newer = changedFields(fields, edits.typed, sent).filter(({ name }) => name in edits.typed);
  return {
    typed: pick(edits.typed, newer),
    before: pick(sent, newer),
    accepted: sent,
    replaced: record,
  };
}

/** The server has accepted values, and the form is emptied for the next ones. What the user has entered since stays. */
export function clear(edits: Edits, fields: readonly FormField[], sent: FormValues, defaults: FormValues): Edits {
  const { typed } = accept(edits, fields, sent, defaults);
  return enter(NO_EDITS, typed, defaults);
}

export function pick(values: FormValues, fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map(({ name }) => [name, values[name] as FieldValue]));
}
