import { Collection } from '../../rest.js';

function holdsList(schema: unknown): boolean {
  if (Array.isArray(schema) || schema instanceof Collection) return true;
  return typeof schema === 'object' && schema !== null && Object.values(schema).some(holdsList);
}

/**
 * The rows in an answer: the answer itself, or what stands in it where its schema has the list.
 *
 * @throws TypeError when the schema has no list.
 */
export function findList(schema: unknown, answer: unknown): readonly object[] {
  if (Array.isArray(answer)) return answer as object[];
  const entry = Object.entries((schema ?? {}) as Record<string, unknown>).find(([, inner]) => holdsList(inner));
  if (!entry) throw new TypeError('getList has no list in its schema. Give it a Collection, or an object that holds one: { results: new Collection([Article]) }.');
  const [name, inner] = entry;
  const held = (answer as Record<string, unknown> | undefined)?.[name];
  return held === undefined || held === null ? [] : findList(inner, held);
}
