import {
  createResource,
  type BaseResource,
  type Denormalize,
  type GetEndpoint,
  type InvalidateOf,
  type MutateEndpoint,
  type ResourceGenerics,
  type ResourceOptions,
  type RestTypeNoBody,
} from '../dataClient/rest.js';
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

/** The endpoints for one record, for a path that ends in a `*wildcard`. */
interface WildcardMembers<O extends ResourceGenerics> {
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

/** The result of `resource()`: one endpoint for each common operation on records of a schema. */
export type Resource<O extends ResourceGenerics = { path: string; schema: any }> =
  O['path'] extends `${infer Head}/*${infer Name}`
    ? Omit<
        BaseResource<Extract<Omit<O, 'path'> & { path: `${Head}/:${Name}`; schema: O['schema'] }, ResourceGenerics>>,
        keyof WildcardMembers<O>
      > &
        WildcardMembers<O>
    : BaseResource<O>;

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
 * the kit's `public`. Params, bodies and results are typed from the path and the schema.
 *
 * @throws TypeError when the path has no token that names a record.
 * @example
 * const ArticleResource = resource({
 *   urlPrefix: 'https://api.example.com',
 *   path: '/article/:id',
 *   schema: Article,
 *   paginationField: 'cursor',
 * });
 * @see https://dataclient.io/rest/api/createResource
 */
export function resource<O extends ResourceGenerics>(
  options: Readonly<O> & Omit<ResourceOptions, 'Endpoint'> & Pick<AuthOptions, 'public'> & { Endpoint?: unknown },
): Resource<O> {
  const { path, Endpoint = RestEndpoint } = options as { path: string; Endpoint?: unknown };
  const wildcard = wildcardOf(path);
  const placeholderPath = wildcard ? `${wildcard.head}/:${wildcard.name}` : path;
  const overrides = new Map([
    [placeholderPath, path],
    [upstreamShortenPath(placeholderPath), shortenPath(path)],
  ]);
  for (const [from, to] of overrides) if (from === to) overrides.delete(from);
  const Overridden = overrides.size === 0 ? Endpoint : withPathOverrides(Endpoint as EndpointClass, overrides);
  const endpoints = createResource({ ...options, path: placeholderPath, Endpoint: Overridden } as ResourceGenerics &
    ResourceOptions);
  return (wildcard
    ? { ...endpoints, delete: deletionBySegments(endpoints.delete, wildcard.name) }
    : endpoints) as unknown as Resource<O>;
}

/**
 * A deletion with an empty response resolves with its params, so that data-client finds the record to remove. This
 * converts the wildcard to the text that the record's key contains.
 */
function deletionBySegments<E extends { process: (...args: any[]) => unknown; extend: (options: any) => unknown }>(
  deletion: E,
  wildcard: string,
): unknown {
  return deletion.extend({
    process: (value: unknown, params: Record<string, unknown>) =>
      deletion.process(value, { ...params, [wildcard]: [params[wildcard]].flat().join('/') }),
  });
}
