// What the widgets ask of a hookified resource, and what they read out of its types.
import type { Denormalize, EndpointInterface } from '../../rest.js';
import type { Session } from '../../session/session.js';

/** A hookified resource with a list. */
export interface ListResource {
  useGetList: () => EndpointInterface;
}

/** A hookified resource with single records. */
export interface DetailResource {
  useGet: () => EndpointInterface;
}

/** The endpoint that a hook of the resource returns. */
export type EndpointOf<R, Hook extends string> = R extends { readonly [K in Hook]: () => infer E extends EndpointInterface } ? E : never;

type Args<R, Hook extends string> = EndpointOf<R, Hook> extends (...args: infer A) => unknown ? A : never;

/** The params that a hook's endpoint takes first; null waits until they are known. */
export type ParamsOf<R, Hook extends string> = Exclude<Args<R, Hook>[0], undefined> | null;

/** `params`, where the path cannot do without. */
export type RequiredParams<R, Hook extends string> =
  Args<R, Hook> extends readonly [infer P, ...unknown[]] ? (undefined extends P ? unknown : { readonly params: P | null }) : unknown;

type BodyOf<R, Hook extends string> = Args<R, Hook> extends infer A ? (A extends readonly [unknown, infer Body, ...unknown[]] ? Body : never) : never;

/** What a hook's endpoint answers, as components see it. */
export type AnswerOf<R, Hook extends string> = Denormalize<EndpointOf<R, Hook>['schema']>;

type RowIn<List> = List extends readonly (infer Item)[]
  ? Item
  : List extends object
    ? { [K in keyof List]: RowIn<List[K]> }[keyof List]
    : never;

/** One row of the resource's list, whether the answer is the list or an object that holds it. */
export type ItemOf<R> = RowIn<AnswerOf<R, 'useGetList'>>;

/** The body that creates a row: that of `push` and `unshift`. */
export type CreateBodyOf<R> = EndpointOf<R, 'useGetList'> extends { push: (...args: infer A) => unknown }
  ? Exclude<A extends readonly [...unknown[], infer Body] ? Body : never, readonly unknown[] | FormData> | FormData
  : never;

interface Update<R, Item> {
  /** Replaces the record (PUT). Rejects with what the server or the session said. */
  readonly update: (body: BodyOf<R, 'useUpdate'>) => Promise<Item>;
}
interface PartialUpdate<R, Item> {
  /** Changes some fields of the record (PATCH). Rejects with what the server or the session said. */
  readonly partialUpdate: (body: BodyOf<R, 'usePartialUpdate'>) => Promise<Item>;
}
interface Remove {
  /**
   * Deletes the record, after what `deletion` says; while that is under way, further calls join it. False where it was not deleted,
   * because the person has changed their mind or somebody else has signed in. Rejects with what the server or the session said.
   */
  readonly remove: () => Promise<boolean>;
}

/** What can be done with one record: an act for each hook that the resource has. */
export type ItemActions<R, Item> = {
  /** True while an act on this record is under way. */
  readonly pending: boolean;
  /** Why the last act failed; undefined once one succeeds. */
  readonly error: Error | undefined;
} & (R extends { useUpdate: unknown } ? Update<R, Item> : unknown) &
  (R extends { usePartialUpdate: unknown } ? PartialUpdate<R, Item> : unknown) &
  (R extends { useDelete: unknown } ? Remove : unknown);

/** An endpoint as the widgets' own code calls it; their props have checked the types. */
export interface LooseEndpoint extends EndpointInterface<(...args: any[]) => Promise<any>, any, undefined> {
  readonly path: string;
  readonly session?: Session | undefined;
  readonly public?: boolean | undefined;
  readonly paginationField?: string;
  readonly requestInit?: RequestInit;
  readonly getOptimisticResponse?: (...args: any[]) => unknown;
  readonly push: LooseEndpoint;
  readonly unshift: LooseEndpoint;
  readonly getPage: LooseEndpoint;
  readonly paginated: (removeCursor: (...args: any[]) => readonly unknown[]) => LooseEndpoint;
  readonly process: (value: unknown, params: object) => unknown;
  readonly extend: (options: object) => LooseEndpoint;
}

export type LooseParams = Readonly<Record<string, unknown>>;
