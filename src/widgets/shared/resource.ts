// What the widgets read out of a hookified resource: its types, and the params of its endpoints.
import { useMemo } from 'react';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import type { Denormalize, EndpointInterface, Schema } from '../../dataClient/rest.js';
import { warnOfLostParams } from '../../endpoints/addressMistakes.js';
import { paramNames } from '../../endpoints/path.js';
import { isDevelopment } from '../../isDevelopment.js';
import type { Session } from '../../session/session.js';

/** A hookified resource with a list. */
export interface HookifiedList {
  useGetList: () => EndpointInterface;
}

/** A hookified resource with single records. */
export interface HookifiedDetail {
  useGet: () => EndpointInterface;
}

/** The endpoint that a hook of the resource returns. */
type EndpointOf<R, Hook extends string> = R extends {
  readonly [K in Hook]: () => infer E extends EndpointInterface;
}
  ? E
  : never;

/** The arguments of a hook's endpoint. */
export type ArgsOf<R, Hook extends string> = EndpointOf<R, Hook> extends (...args: infer A) => unknown ? A : never;

/** Accepts undefined for each optional param, also with `exactOptionalPropertyTypes`: the widgets leave it out. */
type AllowUndefined<Params> = Params extends object
  ? { [K in keyof Params]: Record<never, never> extends Pick<Params, K> ? Params[K] | undefined : Params[K] }
  : Params;

/** The first argument of a hook's endpoint. Null waits until the params are known. */
export type ParamsOf<R, Hook extends string> = AllowUndefined<Exclude<ArgsOf<R, Hook>[0], undefined>> | null;

/** Makes `params` a required prop where the path needs them. */
export type RequiredParams<R, Hook extends string> =
  ArgsOf<R, Hook> extends readonly [infer P, ...unknown[]]
    ? undefined extends P
      ? unknown
      : { readonly params: AllowUndefined<P> | null }
    : unknown;

type BodyOf<R, Hook extends string> =
  ArgsOf<R, Hook> extends infer A ? (A extends readonly [unknown, infer Body, ...unknown[]] ? Body : never) : never;

/** The data of a hook's endpoint, as components get it: by the schema, else what the endpoint resolves with. */
export type AnswerOf<R, Hook extends string> =
  EndpointOf<R, Hook> extends infer E extends { readonly schema?: unknown }
    ? [E['schema']] extends [undefined]
      ? E extends (...args: never[]) => Promise<infer Result>
        ? Result
        : never
      : Denormalize<E['schema'] & {}>
    : never;

/** What every record has: a list in a record beside the rows is not one of rows. */
interface AnyRecord {
  pk: (...args: never[]) => unknown;
}

type RowIn<List> = List extends readonly (infer Item)[]
  ? Item
  : List extends AnyRecord
    ? never
    : List extends object
      ? { [K in keyof List]: RowIn<List[K]> }[keyof List]
      : never;

/**
 * One row of the resource's list. The response is the list, or an object that holds it; its schema says where. Without a schema, it is what
 * the endpoint resolves with, which may be strings.
 */
export type ItemOf<R> = RowIn<AnswerOf<R, 'useGetList'>>;

/** The body that `push` and `unshift` take. */
export type CreateBodyOf<R> =
  EndpointOf<R, 'useGetList'> extends { push: (...args: infer A) => unknown }
    ? Exclude<A extends readonly [...unknown[], infer Body] ? Body : never, readonly unknown[] | FormData> | FormData
    : never;

interface Update<R, Item> {
  /** Replaces the record (PUT). Rejects with the error of the server or the session. */
  readonly update: (body: BodyOf<R, 'useUpdate'>) => Promise<Item>;
}
interface PartialUpdate<R, Item> {
  /** Changes some fields of the record (PATCH). Rejects with the error of the server or the session. */
  readonly partialUpdate: (body: BodyOf<R, 'usePartialUpdate'>) => Promise<Item>;
}
interface Remove {
  /**
   * Deletes the record, when `deleteMode` says. While a deletion is pending, another call returns the same promise.
   * Resolves with false when the record was not deleted, because the user cancelled or the identity changed. Rejects
   * with the error of the server or the session.
   */
  readonly remove: () => Promise<boolean>;
}

/**
 * The actions of one record: one for each of `useUpdate`, `usePartialUpdate` and `useDelete` that the resource has.
 *
 * The widget shows the error of an action, so its promise needs no `catch`. A promise that you derive from it does:
 * `remove().then(goBack, () => {})`.
 */
export type ItemActions<R, Item> = {
  /** True while an action on this record is pending. */
  readonly pending: boolean;
  /** Why the last action failed; undefined once another one starts. */
  readonly error: Error | undefined;
} & (R extends { useUpdate: unknown } ? Update<R, Item> : unknown) &
  (R extends { usePartialUpdate: unknown } ? PartialUpdate<R, Item> : unknown) &
  (R extends { useDelete: unknown } ? Remove : unknown);

/** Any endpoint of a resource. The props of a widget check the types; the code inside needs to know only this much. */
export interface LooseEndpoint extends EndpointInterface<
  (params: LooseParams, ...body: unknown[]) => Promise<unknown>,
  Schema | undefined,
  undefined
> {
  readonly path: string;
  readonly method: string;
  readonly session?: Session | undefined;
  readonly public?: boolean | undefined;
  readonly paginationField?: string;
  readonly requestInit?: RequestInit;
  readonly url: (params: LooseParams) => string;
  readonly getOptimisticResponse?: (...args: never[]) => unknown;
  readonly push: LooseEndpoint;
  readonly unshift: LooseEndpoint;
  readonly getPage: LooseEndpoint;
  readonly paginated: (removeCursor: (params: LooseParams) => readonly unknown[]) => LooseEndpoint;
  readonly parseResponse: (response: Response) => Promise<unknown>;
  readonly process: (value: unknown, params: object, body?: unknown) => unknown;
  readonly extend: (options: object) => LooseEndpoint;
}

export type LooseParams = Readonly<Record<string, unknown>>;

/**
 * Throws for a resource without this hook. In development only: in production the call of the missing hook throws.
 *
 * @throws TypeError that names the remedy.
 */
export function assertHookified(resource: object, hook: 'useGet' | 'useGetList'): void {
  assertResource(resource);
  if (hook in resource) return;
  const endpoint = hook === 'useGet' ? 'get' : 'getList';
  throw new TypeError(
    endpoint in resource
      ? `The resource of this widget has \`${endpoint}\`, but no hook ${hook}(). Pass hookifyResource(resource).`
      : `The resource of this widget has no hook ${hook}(). Pass hookifyResource(resource), where the resource has \`${endpoint}\`.`,
  );
}

/**
 * Throws where JavaScript has passed no object as the resource. In development only: in production the call of its hook throws.
 *
 * @throws TypeError that names the remedy.
 */
export function assertResource(resource: unknown): void {
  if (typeof resource === 'object' && resource !== null) return;
  throw new TypeError(
    `The prop \`resource\` of a widget is ${String(resource)}. Pass hookifyResource(resource). Check the name of the import. If two files import each other, move the resource to a third file.`,
  );
}

/** The params without undefined ones. The same object as long as they are equal. */
export function useStableParams(params: object | null | undefined): LooseParams | null {
  if (isDevelopment) warnOfLostParams(params);
  // JSON leaves undefined values out.
  const text = JSON.stringify(params === undefined ? {} : params);
  return useMemo(() => JSON.parse(text) as LooseParams | null, [text]);
}

/** The same text for equal params: their order does not matter, and `1` equals `'1'`. */
export function paramsKey(params: LooseParams): string {
  return JSON.stringify(
    Object.keys(params)
      .sort()
      .map(name => [name, typeof params[name] === 'number' ? String(params[name]) : params[name]]),
  );
}

/** The params that the endpoint's path needs, without search params. */
export function pathParams(endpoint: LooseEndpoint, params: LooseParams): LooseParams {
  return Object.fromEntries(paramNames(endpoint.path).map(name => [name, params[name]]));
}

/**
 * The path's params for one record of a list. The last one names the record: from its fields, else from the params of the list, else the
 * primary key. The others are those of the list's own path, because a row is below the address of its list; its field of that name may be
 * something else. Where the list's path has no such param, they are from the fields of the record, else from the params of the list.
 */
export function recordParams(
  endpoint: LooseEndpoint,
  item: object,
  getList: LooseEndpoint,
  params: LooseParams,
): LooseParams {
  const names = paramNames(endpoint.path);
  const ofList = pathParams(getList, params);
  const fields = item as LooseParams;
  return Object.fromEntries(
    names.map((name, index) => {
      const own = toPathValue(fields[name]) ?? params[name];
      const isLast = index === names.length - 1;
      return [name, isLast ? (own ?? getPrimaryKey(item)) : (ofList[name] ?? own)];
    }),
  );
}

/** Undefined for a value that a path cannot hold, e.g. an entity's empty default. */
function toPathValue(value: unknown): unknown {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined;
}

/** What the keys of a list have in common, whatever its search params are. */
export function withoutSearch(key: string): string {
  return key.split('?')[0] ?? key;
}
