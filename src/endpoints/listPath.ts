import { entityOfList, isListSchema, schemaFields } from '../dataClient/rest.js';
import { NotAListError } from '../errors.js';
import { isDevelopment } from '../isDevelopment.js';
import { isObject } from '../isObject.js';
import { warnOnce } from '../warnOnce.js';

/** The fields that lead from a response to the first list in its schema: empty for a bare list, undefined without a list. */
export function listPath(schema: unknown): readonly string[] | undefined {
  if (isListSchema(schema)) return [];
  for (const [name, inner] of Object.entries(schemaFields(schema) ?? {})) {
    const path = listPath(inner);
    if (path) return [name, ...path];
  }
  return undefined;
}

/** The schema of a response that holds a list in a field: `{ data: { items: list } }` for `data.items`. */
export function nestList(rows: string, list: unknown): unknown {
  return nestAt(rows.split('.'), list);
}

function nestAt(path: readonly string[], list: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), list);
}

const reported = new Set<string>();

/**
 * Checks that a response holds the list of its schema, and returns it. Null counts as an empty list, as Go's servers send it. data-client
 * accepts null in a field, but not as the response.
 *
 * @param args Of the endpoint.
 * @throws NotAListError, which the console shows once for each endpoint: users get a sentence without the details. In development also
 * for rows without a primary key, in place of data-client's own error.
 */
export function checkList(endpoint: string, schema: unknown, response: unknown, args: unknown[] = []): unknown {
  const path = listPath(schema);
  if (!path) return response;
  const rows = path.reduce(readField, response);
  if (rows === null || Array.isArray(rows)) {
    if (isDevelopment) {
      warnOfRows(endpoint, rows);
      assertKeys(endpoint, path.reduce(readSchema, schema), rows, args);
    }
    return response ?? nestAt(path, []);
  }
  const field = Array.isArray(response) ? undefined : (findRows(response)?.join('.') ?? 'results');
  throw reportedOnce(new NotAListError(endpoint, path, describe(response), field));
}

function reportedOnce(error: Error): Error {
  if (!reported.has(error.message)) console.error(error);
  reported.add(error.message);
  return error;
}

/** Data-client would log an error with the whole row, once for each of its steps. */
function assertKeys(endpoint: string, list: unknown, rows: readonly unknown[] | null, args: unknown[]): void {
  const row = rows?.[0];
  const entity = entityOfList(list);
  if (!entity || !isObject(row) || Array.isArray(row)) return;
  const processed = entity.process(row, undefined, undefined, args) as Partial<typeof entity.prototype>;
  const key = entity.pk(processed, undefined, undefined, args);
  if (key !== undefined && key !== '' && key !== 'undefined') return;
  throw reportedOnce(
    Object.assign(
      new TypeError(
        `${endpoint} answered rows without a primary key of ${entity.key}: ${describe(row)}. Return the field that identifies a row: class ${entity.key} extends Entity { pk() { return this.… } }.`,
      ),
      { status: 502 },
    ),
  );
}

function readSchema(schema: unknown, name: string): unknown {
  return schemaFields(schema)?.[name];
}

/** Warns of rows that data-client does not show: it takes a text or a number for the key of a record that the store has. */
function warnOfRows(endpoint: string, rows: readonly unknown[] | null): void {
  const kind = typeof rows?.[0];
  if (kind !== 'string' && kind !== 'number') return;
  warnOnce(
    `${endpoint} answered a list of ${kind === 'string' ? 'texts' : 'numbers'}, where objects were expected, so the list shows only those whose record the store has. Make objects of them in the \`process\` of the endpoint: value.map(id => ({ id })).`,
  );
}

function readField(value: unknown, name: string): unknown {
  return value === null ? null : isObject(value) ? value[name] : undefined;
}

/** Enough to recognize an answer. Where the rows are a map, the names are data of its users. */
const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 24;

function describe(response: unknown): string {
  if (!isObject(response)) return Array.isArray(response) ? 'a bare list' : `a ${typeof response}`;
  const names = Object.keys(response);
  if (names.length === 0) return 'an object without fields';
  const shown = names.slice(0, MAX_NAMES).map(shorten).join(', ');
  return `an object with ${shown}${names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''}`;
}

function shorten(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

/** The first field that holds an array, up to two levels deep. */
function findRows(response: unknown, depth = 2): string[] | undefined {
  if (!isObject(response) || depth === 0) return undefined;
  const entries = Object.entries(response);
  const direct = entries.find(([, value]) => Array.isArray(value));
  if (direct) return [direct[0]];
  for (const [name, value] of entries) {
    const path = findRows(value, depth - 1);
    if (path) return [name, ...path];
  }
  return undefined;
}
