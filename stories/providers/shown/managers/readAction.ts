import type { ActionTypes } from '@data-client/react';

/** The fields of an action that the managers below read. Their names differ between data-client 0.10 and newer versions. */
interface Fields {
  type: string;
  key?: string;
  args?: readonly unknown[];
  endpoint?: { name: string; sideEffect?: unknown };
  error?: boolean;
  response?: unknown;
  payload?: unknown;
  meta?: { key?: string; args?: readonly unknown[]; promise?: PromiseLike<unknown> };
}

/** A response that has arrived or failed, or undefined for another action. */
export function responseOf(action: ActionTypes) {
  const { type, endpoint, key, meta, error, response, payload } = action as Fields;
  if (!endpoint || (type !== 'rdc/setresponse' && type !== 'rdc/set')) return undefined;
  const data = response ?? payload;
  return {
    name: endpoint.name,
    key: key ?? meta?.key ?? '',
    isWrite: Boolean(endpoint.sideEffect),
    data,
    error: error ? (data as Error) : undefined,
  };
}

/** A request that is about to be sent, or undefined for another action. */
export function fetchOf(action: ActionTypes) {
  const { type, endpoint, key, meta } = action as Fields;
  return type === 'rdc/fetch' && endpoint && meta?.promise
    ? { name: endpoint.name, key: key ?? meta.key ?? '', done: meta.promise }
    : undefined;
}

/** What the endpoint of the action is called with. */
export function argsOf(action: ActionTypes): readonly unknown[] {
  const { args, meta } = action as Fields;
  return args ?? meta?.args ?? [];
}
