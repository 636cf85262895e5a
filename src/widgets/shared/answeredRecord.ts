// What the store learns of a write whose answer has no record, or a part of it (204, a message, a key), or may be outdated.
import type { Controller } from '@data-client/react';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { getOrCreate } from '../../getOrCreate.js';
import { isObject } from '../../isObject.js';
import { findEntity } from './findList.js';
import { pathParams, type LooseEndpoint, type LooseParams } from './resource.js';

/** The edits of each store that are on their way, by the URL of the record. */
const editsByStore = new WeakMap<Controller, Map<string, { pending: number; overlap: boolean }>>();

interface Edit {
  readonly endpoint: LooseEndpoint;
  readonly params: LooseParams;
  readonly body: unknown;
  readonly record: object | undefined;
  /** Reads the record. Without it, all that is shown is fetched again in its place. */
  readonly get: LooseEndpoint | undefined;
}

/**
 * Sends an edit. The server may write edits that overlap in any order, and the order of their answers does not say in which. After the last
 * answer the record is read again.
 */
export function sendEdit(controller: Controller, { endpoint, params, body, record, get }: Edit): Promise<unknown> {
  const url = endpoint.url(params);
  const edits = getOrCreate(editsByStore, controller, () => new Map());
  const run = async (send: () => Promise<unknown>): Promise<unknown> => {
    const current = getOrCreate(edits, url, () => ({ pending: 0, overlap: false }));
    current.overlap ||= current.pending > 0;
    current.pending++;
    try {
      return await send();
    } finally {
      current.pending--;
      if (current.pending === 0) edits.delete(url);
      // An edit that starts during the read overlaps with it.
      if (current.pending === 0 && current.overlap) run(readAgain).catch(() => {});
    }
  };
  const readAgain = () => {
    const known = get && pathParams(get, params);
    if (!known || Object.values(known).includes(undefined)) return controller.expireAll({ testKey: () => true });
    // As a side effect, so that it does not share a read that has started before.
    return controller.fetch(get.extend({ sideEffect: true }), known) as Promise<unknown>;
  };
  return run(() => controller.fetch(toEditEndpoint(endpoint, record), params, body) as Promise<unknown>);
}

/** The endpoint of an edit. What its answer lacks of the record has the values that were sent. */
function toEditEndpoint(endpoint: LooseEndpoint, record: object | undefined): LooseEndpoint {
  const entity = findEntity(endpoint.schema);
  // In an object around the record, only the app knows what it means.
  if (!entity || (endpoint.schema as unknown) !== entity) return endpoint;
  return withAnswer(endpoint, (answer, params, body) => {
    const known = { ...params, ...scalarsOf(record) };
    const sent = pickSent(body, record ?? {});
    const filled = hasKey(answer, entity) ? { ...sent, ...answer } : { ...known, ...sent };
    return hasKey(filled, entity) ? filled : answer;
  });
}

/**
 * The endpoint of a creation. A row of which the answer has only the key has the values that were sent. An answer without a key adds no row.
 *
 * @param onUnknown Called when the server has created a row and not said which.
 */
export function toFilledCreateEndpoint(endpoint: LooseEndpoint, onUnknown: () => void): LooseEndpoint {
  const entity = findEntity(endpoint.schema);
  if (!entity) return endpoint;
  const { defaults = {} } = entity as { readonly defaults?: object };
  return withAnswer(endpoint, (answer, _params, body) => {
    if (Array.isArray(answer)) return answer as unknown[];
    if (hasKey(answer, entity)) return { ...pickSent(body, defaults), ...answer };
    onUnknown();
    return [];
  });
}

type Fields = Readonly<Record<string, unknown>>;

function withAnswer(
  endpoint: LooseEndpoint,
  fill: (answer: unknown, params: LooseParams, body: unknown) => unknown,
): LooseEndpoint {
  return endpoint.extend({
    parseResponse: async (response: Response) => {
      // A body that breaks off is for the endpoint, whose error says so.
      const text = await response
        .clone()
        .text()
        .catch(() => undefined);
      // Called on the endpoint itself: whether it takes a text depends on its own `process`.
      return text?.trim() === '' ? null : endpoint.parseResponse(response);
    },
    process: (value: unknown, params: LooseParams, body: unknown) =>
      fill(endpoint.process(value, params, body), params, body),
  });
}

function hasKey(answer: unknown, entity: { readonly prototype: { readonly pk: unknown } }): answer is Fields {
  return isObject(answer) && getPrimaryKey(answer, entity.prototype) !== undefined;
}

/** The fields of a body that the record has too. A password that was sent is no part of a record. */
function pickSent(body: unknown, record: object): Fields {
  const sent = body instanceof FormData ? Object.fromEntries(body) : isObject(body) ? body : {};
  const fields = record as Fields;
  const names = Object.keys(sent).filter(name => name in fields);
  return Object.fromEntries(
    names.flatMap(name => {
      const [value, before] = [sent[name], fields[name]];
      // The texts of parts may stand for other types.
      if (body instanceof FormData && (typeof value !== 'string' || typeof before !== 'string')) return [];
      return [[name, isObject(value) && isObject(before) ? { ...before, ...value } : value]];
    }),
  );
}

/** The fields that are no objects: the store has the others already. */
function scalarsOf(record: object | undefined): Fields {
  return Object.fromEntries(Object.entries(record ?? {}).filter(([, value]) => typeof value !== 'object'));
}
