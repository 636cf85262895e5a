import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { schemaFields } from '../../dataClient/rest.js';
import { isDevelopment } from '../../isDevelopment.js';
import { listPath } from '../../endpoints/listPath.js';

/**
 * The rows in a response: the response itself, or the property that its schema declares as a list.
 *
 * @throws TypeError when the schema has no list.
 */
export function findList(schema: unknown, response: unknown): readonly object[] {
  if (Array.isArray(response)) return response as object[];
  const path = getListPath(schema);
  const rows = path.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
    response,
  );
  return Array.isArray(rows) ? (rows as object[]) : [];
}

/** The fields that lead from a response to its rows. @throws TypeError when the schema has no list. */
export function getListPath(schema: unknown): readonly string[] {
  const path = listPath(schema);
  if (!path)
    throw new TypeError(
      isDevelopment
        ? "getList has no list in its schema. Give it a Collection, or name the field that holds the rows: resource({ …, rows: 'results' })."
        : 'getList has no list in its schema.',
    );
  return path;
}

/** Identifies a row: its primary key, or the row object if it has none. */
export type RowKey = string | object;

export function keyOf(row: object): RowKey {
  return getPrimaryKey(row) ?? row;
}

interface EntityClass {
  /** Its name in the store. */
  readonly key: string;
  readonly prototype: { readonly pk: unknown };
}

/** The class of the rows in a response, or undefined if the schema names none or several. */
export function findRowEntity(schema: unknown): EntityClass | undefined {
  const path = listPath(schema);
  return path && findEntity(path.reduce<unknown>((value, name) => schemaFields(value)?.[name], schema));
}

/** The class of the records in a schema: an entity, a list of them, or a Collection. */
export function findEntity(schema: unknown): EntityClass | undefined {
  let found = schema;
  while (typeof found === 'object' && found !== null)
    found = Array.isArray(found) ? (found[0] as unknown) : (found as { readonly schema?: unknown }).schema;
  // A function that converts values may have no prototype.
  const { prototype } = (found ?? {}) as Partial<EntityClass>;
  return typeof prototype?.pk === 'function' ? (found as EntityClass) : undefined;
}
