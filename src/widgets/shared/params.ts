import { useMemo } from 'react';
import { paramNames } from '../../endpoints/path.js';
import type { LooseEndpoint, LooseParams } from './resourceTypes.js';

/** The params as text: the same for the same params, in whichever order and whether a number or its digits. */
export function paramsKey(params: LooseParams): string {
  return JSON.stringify(Object.keys(params).sort().map(name => [name, typeof params[name] === 'number' ? String(params[name]) : params[name]]));
}

/** The params of one record's endpoint: its path's tokens, out of the record and else out of the params it was read with. */
export function recordParams(endpoint: LooseEndpoint, item: object, params: LooseParams, pk: string | undefined): LooseParams {
  const tokens = paramNames(endpoint.path);
  const fields = item as LooseParams;
  return Object.fromEntries(
    tokens.map((name, index) => [name, toPathValue(fields[name]) ?? params[name] ?? (index === tokens.length - 1 ? pk : undefined)]),
  );
}

/** The params of another endpoint of the same record. */
export function pathParams(endpoint: LooseEndpoint, params: LooseParams): LooseParams {
  return Object.fromEntries(paramNames(endpoint.path).map(name => [name, params[name]]));
}

/** A value that can stand in an address; an entity's empty default cannot. */
function toPathValue(value: unknown): unknown {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined;
}

/** The params without undefined ones, which JSON leaves out, as the same object while they say the same. */
export function useStableParams(params: object | null | undefined): LooseParams | null {
  const text = JSON.stringify(params === undefined ? {} : params);
  return useMemo(() => JSON.parse(text) as LooseParams | null, [text]);
}

/** What tells one row from another: its primary key, or its `id`. */
export function getPrimaryKey(item: object): string | undefined {
  const { pk, id } = item as { pk?: (...args: unknown[]) => unknown; id?: unknown };
  const key = typeof pk === 'function' ? pk.call(item, undefined, '', []) : id;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined;
}
