import type { FormField } from './FormField.js';

/** The field of a form that a path names, or begins with, in whichever case. */
export function fieldAt(fields: readonly FormField[], path: string): FormField | undefined {
  const [head = ''] = path.split('.');
  return fieldNamed(fields, path) ?? fieldNamed(fields, head);
}

function fieldNamed(fields: readonly FormField[], name: string): FormField | undefined {
  return fields.find(field => field.name === name) ?? fields.find(field => field.name.toLowerCase() === name.toLowerCase());
}
