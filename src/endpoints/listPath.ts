import { Collection } from '../dataClient/rest.js';

/** The fields that lead from a response to the first list in its schema: empty for a bare list, undefined without a list. */
export function listPath(schema: unknown): readonly string[] | undefined {
  if (Array.isArray(schema) || schema instanceof Collection) return [];
  if (typeof schema !== 'object' || schema === null) return undefined;
  for (const [name, inner] of Object.entries(schema)) {
    const path = listPath(inner);
    if (path) return [name, ...path];
  }
  return undefined;
}
