import { Collection } from '../../dataClient/rest.js';

/**
 * The rows in a response: the response itself, or the property that its schema declares as a list.
 *
 * @throws TypeError when the schema has no list.
 */
export function findList(schema: unknown, response: unknown): readonly object[] {
  if (Array.isArray(response)) return response as object[];
  const property = Object.entries((schema ?? {}) as Record<string, unknown>).find(([, inner]) => containsList(inner));
  if (!property)
    throw new TypeError(
      'getList has no list in its schema. Give it a Collection, or an object that holds one: { results: new Collection([Article]) }.',
    );
  const [name, inner] = property;
  const value = (response as Record<string, unknown> | undefined)?.[name];
  return value === undefined || value === null ? [] : findList(inner, value);
}

function containsList(schema: unknown): boolean {
  if (Array.isArray(schema) || schema instanceof Collection) return true;
  return typeof schema === 'object' && schema !== null && Object.values(schema).some(containsList);
}
