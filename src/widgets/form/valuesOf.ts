import type { FormField, FormValues } from './FormField.js';

/** What stands in a form's inputs for a record: text, and for a checkbox whether it is checked. */
export function valuesOf(fields: readonly FormField[], record: object | undefined): FormValues {
  const given = (record ?? {}) as Record<string, unknown>;
  return Object.fromEntries(fields.map(({ name, type }) => [name, type === 'checkbox' ? given[name] === true : textOf(given[name])]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
