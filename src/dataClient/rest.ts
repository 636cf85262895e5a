/**
 * data-client's REST names for all supported versions. This file imports only names that exist in all versions from
 * 0.10 to 0.18. Handle differences between versions here.
 */
import { createResource, Entity as BaseEntity, RestEndpoint as BaseRestEndpoint, schema } from '@data-client/rest';

export { createResource, BaseRestEndpoint };
export type {
  Denormalize,
  EndpointInterface,
  GetEndpoint,
  MutateEndpoint,
  PathArgs,
  Resource as BaseResource,
  ResourceGenerics,
  ResourceOptions,
  RestEndpointConstructorOptions,
  RestGenerics,
  RestInstanceBase,
  RestTypeNoBody,
  Schema,
} from '@data-client/rest';

/** When a record or its response was requested, and when it arrived, in milliseconds since 1970. */
interface ResponseTimes {
  readonly fetchedAt: number;
  readonly date: number;
}

interface StoredTimes extends ResponseTimes {
  readonly expiresAt: number;
}

/** As data-client types them, so that overrides in an app may call `super`: a number is a key since 0.14. */
type PrimaryKey = ReturnType<BaseEntity['pk']>;
type Merged = ReturnType<(typeof BaseEntity)['mergeWithStore']>;

/**
 * Deleted records are symbols in the store. A response that was requested before the server had confirmed the deletion may still have the
 * record.
 */
const wasRequestedBeforeDeletion = (was: ResponseTimes, now: ResponseTimes, record: unknown): boolean =>
  typeof record === 'symbol' && now.fetchedAt < was.date;

/**
 * Data with a primary key. The store caches it once, even if many responses contain it.
 *
 * The key is the `id`, unless the class overrides `pk`. A deleted record stays deleted when a response arrives that was requested before the
 * deletion.
 *
 * @example
 * class Article extends Entity {
 *   id = '';
 *   title = '';
 * }
 * @see https://dataclient.io/rest/api/Entity
 */
export abstract class Entity extends BaseEntity {
  // Abstract in 0.9.9; later versions have a default, which accepts an empty `id`.
  override pk(_parent?: unknown, _key?: string, _args?: readonly unknown[]): PrimaryKey {
    const { id } = this as { id?: string | number | null };
    return id === undefined || id === null || id === '' ? undefined : `${id}`;
  }

  static override mergeWithStore(was: ResponseTimes, now: ResponseTimes, existing: unknown, incoming: unknown): Merged {
    return wasRequestedBeforeDeletion(was, now, existing)
      ? existing
      : super.mergeWithStore(was, now, existing, incoming);
  }

  static override mergeMetaWithStore(was: StoredTimes, now: StoredTimes, existing: unknown, incoming: unknown) {
    return wasRequestedBeforeDeletion(was, now, existing)
      ? was
      : super.mergeMetaWithStore(was, now, existing, incoming);
  }
}

/** A list (or map) of entities that can grow: see `push`, `unshift` and `getPage`. */
export const Collection = schema.Collection;

/** The schema of a response that confirms the deletion of an entity. */
export const Invalidate = schema.Invalidate;

/**
 * The schema of a deletion's response. For a `schema.Union`, data-client takes the union itself, which cannot say what was deleted: the response
 * names no class. The record does.
 */
export function toDeletionSchema(own: unknown, record: object): unknown {
  const isOfClass = own instanceof schema.Union && record instanceof BaseEntity;
  return isOfClass ? new Invalidate(record.constructor as typeof Entity) : own;
}

/** True for a record of the store: an instance of an entity's class. */
export function isRecord(value: unknown): value is BaseEntity {
  return value instanceof BaseEntity;
}

/** True for the schema of a list: an array, `schema.Array`, `schema.All`, or a Collection of these. A Collection may also be of a map. */
export function isListSchema(value: unknown): boolean {
  if (value instanceof Collection) return isListSchema((value as { readonly schema: unknown }).schema);
  return Array.isArray(value) || value instanceof schema.Array;
}

/** The class of a list's records; undefined for a list of several classes. */
export function entityOfList(list: unknown): typeof Entity | undefined {
  const inner = Array.isArray(list)
    ? (list[0] as unknown)
    : (list as { readonly schema?: unknown } | undefined)?.schema;
  if (isListSchema(inner)) return entityOfList(inner);
  return typeof inner === 'function' && inner.prototype instanceof BaseEntity ? (inner as typeof Entity) : undefined;
}

/** The fields of the schema of an object, also of a `schema.Object`. Undefined for any other schema. */
export function schemaFields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value instanceof schema.Object) return (value as unknown as { schema: Readonly<Record<string, unknown>> }).schema;
  const isLiteral = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isLiteral ? (value as Readonly<Record<string, unknown>>) : undefined;
}

let groupsAreOptional: boolean | undefined;

/**
 * True where a group of a path, as in `/article{/:id}`, is optional: path-to-regexp 8, which data-client's REST package uses since 0.16.
 * In path-to-regexp 6 it is optional with a question mark, `{/:id}?`.
 */
export function hasOptionalGroups(): boolean {
  return (groupsAreOptional ??= isOptionalGroup());
}

function isOptionalGroup(): boolean {
  try {
    const path: string = '/a{/:b}';
    return new BaseRestEndpoint({ path }).url({}) === '/a';
  } catch {
    return false;
  }
}

/** The schema of a deletion's response, for the schema of the record. */
export type InvalidateOf<S> = S extends schema.EntityInterface & { process: unknown } ? schema.Invalidate<S> : S;

/**
 * True for an error of the schema while the store read a response. data-client begins its message with these words and the key. An object that
 * an app throws, such as a response, may have no message.
 */
export function isProcessingError(error: { readonly message?: unknown }): boolean {
  return String(error.message).startsWith('Error processing ');
}
