import type { FormField, FormValues } from './FormField.js';

/** What a form's values are as fields of a record: a number where the input takes one, null where that is left empty. */
export function bodyOf(fields: readonly FormField[], values: FormValues): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, type }): [string, unknown] => {
      const value = values[name];
      if (type !== 'number') return [name, value];
      return [name, value === '' ? null : Number(value)];
    }),
  );
}
