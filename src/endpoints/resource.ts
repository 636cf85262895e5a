import {
  createResource,
  type BaseResource,
  type Denormalize,
  type EndpointInterface,
  type GetEndpoint,
  type InvalidateOf,
  type MutateEndpoint,
  type ResourceGenerics,
  type ResourceOptions,
  type RestTypeNoBody,
} from '../dataClient/rest.js';
import { isDevelopment } from '../isDevelopment.js';
import { checkList, nestList } from './listPath.js';
import { shortenPath, wildcardOf, type PathParams } from './path.js';
import { RestEndpoint, type AuthOptions, type WithWildcard } from './RestEndpoint.js';

type BodyOf<O extends ResourceGenerics> = 'body' extends keyof O
  ? O['body']
  : Partial<Denormalize<O['schema']>> | FormData;

/** The generics of an endpoint for one record, with the resource's path. */
type OneRecord<O extends ResourceGenerics> = WithWildcard<Pick<O, 'path' | 'schema'>> & {
  readonly path: string;
  readonly schema: O['schema'];
};

/** The endpoints of a resource for one record, for a path that ends in a `*wildcard`. */
export interface WildcardMembers<O extends ResourceGenerics> {
  get: GetEndpoint<OneRecord<O>>;
  update: MutateEndpoint<OneRecord<O> & { body: BodyOf<O> }>;
  partialUpdate: MutateEndpoint<OneRecord<O> & { body: Partial<BodyOf<O>> }>;
  delete: RestTypeNoBody<
    PathParams<O['path']>,
    InvalidateOf<O['schema']>,
    undefined,
    Partial<PathParams<O['path']>>,
    { path: O['path'] }
  >;
}

/**
 * The result of `resource()`: one endpoint for each common operation on records of a schema. As in data-client, `Resource` without types is
 * one with any schema, and with a path that is known as a text only.
 */
export type Resource<O extends ResourceGenerics = { path: string; schema: any }> =
  O['path'] extends `${infer Head}/*${infer Name}`
    ? Omit<
        BaseResource<Extract<Omit<O, 'path'> & { path: `${Head}/:${Name}`; schema: O['schema'] }, ResourceGenerics>>,
        'get' | 'update' | 'partialUpdate' | 'delete'
      > &
        WildcardMembers<O>
    : BaseResource<O>;

/** A value in a field, by a dotted path: `{ data: { items: T } }` for `data.items`. */
type Nested<Path extends string, T> = Path extends `${infer Head}.${infer Rest}`
  ? { readonly [K in Head]: Nested<Rest, T> }
  : { readonly [K in Path]: T };

/** A resource whose list is in a field of the response. */
export type NestedListResource<R extends { getList: EndpointInterface }, Rows extends string> = Omit<R, 'getList'> & {
  getList: ((...args: Parameters<R['getList']>) => ReturnType<R['getList']>) &
    Omit<R['getList'], 'schema'> & { readonly schema: Nested<Rows, R['getList']['schema']> };
};

export interface ListOptions<Rows extends string> {
  /**
   * The field of a list's response that holds the rows; dots lead into objects: `'results'`, `'data.items'`. The other fields
   * stay in the response: `PaginatedList` reads the next page and the total from them.
   * @default the response is the list itself
   */
  readonly rows?: Rows | undefined;
}

type EndpointClass = new (options: { path?: string }) => object;

/**
 * Extends the endpoint class to replace some paths. The kit's endpoints support a path syntax that data-client's
 * `createResource` does not.
 */
function withPathOverrides(Endpoint: EndpointClass, overrides: Map<string, string>): EndpointClass {
  return class extends Endpoint {
    constructor(options: { path?: string }) {
      const path = options.path === undefined ? undefined : overrides.get(options.path);
      super(path === undefined ? options : { ...options, path });
    }
  };
}

/**
 * The list path that data-client computes from a record's path. For `/:id` it is empty, where the kit's `shortenPath`
 * returns `/`.
 */
function upstreamShortenPath(path: string): string {
  return path.slice(0, path.lastIndexOf(':')).replace(/\/$/, '');
}

/**
 * Creates the endpoints for one kind of record: `get`, `getList` (with `push`, `unshift` and `getPage`), `update`,
 * `partialUpdate` and `delete`. Use `extend` to add or change endpoints.
 *
 * Options are data-client's (`urlPrefix`, `path`, `schema`, `paginationField`, `optimistic`, `Endpoint`, `Collection`, …) and
 * the kit's `rows` and `public`. Params, bodies and results are typed from the path and the schema. A path that ends in a slash
 * keeps it, for the list too.
 *
 * @throws TypeError when the path has no token that names a record.
 * @throws NotAListError from `getList` when the server answers something else than a list.
 * @example
 * const ArticleResource = resource({
 *   urlPrefix: 'https://api.example.com',
 *   path: '/article/:id',
 *   schema: Article,
 *   paginationField: 'cursor',
 *   rows: 'results',
 * });
 * @see https://dataclient.io/rest/api/createResource
 */
export function resource<O extends ResourceGenerics, const Rows extends string = never>(
  options: Readonly<O> &
    Omit<ResourceOptions, 'Endpoint'> &
    Pick<AuthOptions, 'public'> & { Endpoint?: unknown } & ListOptions<Rows>,
): [Rows] extends [never] ? Resource<O> : NestedListResource<Resource<O>, NoInfer<Rows>>;
export function resource(options: object): unknown {
  const { rows, ...others } = options as ListOptions<string> & { path: string; Endpoint?: unknown };
  const { path, Endpoint = RestEndpoint } = others;
  if (isDevelopment) assertSchema(path, (options as { schema?: unknown }).schema);
  const wildcard = wildcardOf(path);
  const placeholderPath = wildcard ? `${wildcard.head}/:${wildcard.name}` : path;
  const overrides = new Map([
    [placeholderPath, path],
    [upstreamShortenPath(placeholderPath), shortenPath(path)],
  ]);
  for (const [from, to] of overrides) if (from === to) overrides.delete(from);
  const Overridden = overrides.size === 0 ? Endpoint : withPathOverrides(Endpoint as EndpointClass, overrides);
  const endpoints = createResource({ ...others, path: placeholderPath, Endpoint: Overridden } as ResourceGenerics &
    ResourceOptions);
  return {
    ...endpoints,
    getList: toCheckedList(endpoints.getList, rows),
    ...(wildcard && { delete: deletionBySegments(endpoints.delete, wildcard.name) }),
  };
}

/** @throws TypeError that names the remedy, where data-client would fail at the first response, or show records without data. */
function assertSchema(path: string, schema: unknown): void {
  const start = `resource() for ${path} needs the class of a record as \`schema\``;
  if (schema === undefined)
    throw new TypeError(`${start}, but got undefined. If the class is in another file, two files import each other.`);
  if (Array.isArray(schema))
    throw new TypeError(`${start}, but got a list. Leave out the brackets: getList makes its list of it.`);
  if (typeof schema === 'function' && /^class\b/.test(String(schema)) && !('pk' in (schema.prototype as object)))
    throw new TypeError(`${start}, but ${schema.name} is no entity. Write class ${schema.name} extends Entity.`);
}

interface ListEndpoint {
  readonly schema: unknown;
  readonly method: string;
  readonly path: string;
  extend(options: object): ListEndpoint;
}

/** The list, with its rows in this field. Each answer is checked by the schema that the app may have given instead. */
function toCheckedList(getList: ListEndpoint, rows: string | undefined): ListEndpoint {
  return getList.extend({
    // The mock server of `data-client-auth/testing` reads `rows`.
    ...(rows !== undefined && { schema: nestList(rows, getList.schema), rows }),
    // `push` and `unshift` are made from the list, but their response is the new row alone.
    checkResponse(this: ListEndpoint, response: unknown, args: unknown[]) {
      return this.method === 'GET' ? checkList(`GET ${this.path}`, this.schema, response, args) : response;
    },
  });
}

/**
 * A deletion with an empty response resolves with its params, so that data-client finds the record to remove. This
 * converts the wildcard to the text that the record's key contains.
 */
function deletionBySegments(
  deletion: { process(...args: unknown[]): unknown; extend(options: object): unknown },
  wildcard: string,
): unknown {
  return deletion.extend({
    process: (value: unknown, params: Record<string, unknown>) =>
      deletion.process(value, { ...params, [wildcard]: [params[wildcard]].flat().join('/') }),
  });
}
