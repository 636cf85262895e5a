import type { FieldErrors } from './fieldErrors.js';
import type { FormField } from './FormField.js';

/** The errors of a refusal, where a form can show them. */
export interface PlacedErrors {
  readonly atFields: ReadonlyMap<string, string>;
  /** What belongs to no field of the form. */
  readonly elsewhere: readonly string[];
}

export const NO_ERRORS: PlacedErrors = { atFields: new Map(), elsewhere: [] };

/** Puts each error at its field: the one that its path names, or begins with, in whichever case. */
export function placeErrors(fields: readonly FormField[], errors: FieldErrors): PlacedErrors {
  const atFields = new Map<string, string>();
  const elsewhere: string[] = [];
  for (const [path, texts] of Object.entries(errors)) {
    const [head = ''] = path.split('.');
    const field = fieldNamed(fields, path) ?? fieldNamed(fields, head);
    if (field) atFields.set(field.name, [atFields.get(field.name), ...texts].filter(Boolean).join(' '));
    else elsewhere.push(...texts.map(text => (path ? `${path}: ${text}` : text)));
  }
  return { atFields, elsewhere };
}

function fieldNamed(fields: readonly FormField[], name: string): FormField | undefined {
  return fields.find(field => field.name === name) ?? fields.find(field => field.name.toLowerCase() === name.toLowerCase());
}
