// The keys of records, and the params of endpoints.
import { useMemo } from 'react';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { paramNames } from '../../endpoints/path.js';
import type { LooseEndpoint, LooseParams } from './resourceTypes.js';

/** The params without undefined ones. The same object as long as they are equal. */
export function useStableParams(params: object | null | undefined): LooseParams | null {
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

/** The path's params for one record of a list: from its fields, else from the params of the list. The last one may be the primary key. */
export function recordParams(endpoint: LooseEndpoint, item: object, params: LooseParams): LooseParams {
  const names = paramNames(endpoint.path);
  const fields = item as LooseParams;
  const primaryKey = getPrimaryKey(item);
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      toPathValue(fields[name]) ?? params[name] ?? (index === names.length - 1 ? primaryKey : undefined),
    ]),
  );
}

/** Undefined for a value that a path cannot hold, e.g. an entity's empty default. */
function toPathValue(value: unknown): unknown {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined;
}
