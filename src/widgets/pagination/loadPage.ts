import type { Controller } from '@data-client/react';
import { findDeletedSince } from '../../dataClient/deletions.js';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { getStoredError } from '../../dataClient/storedResponses.js';
import { IdentityChangedError } from '../../errors.js';
import { getOrCreate } from '../../getOrCreate.js';
import { untilDeletionsAnswered, watchDeletions } from '../actions/deletion.js';
import type { PageSearch } from '../nextPage/detectNextPage.js';
import { findRowEntity, getListPath } from '../shared/findList.js';
import { paramsKey, pathParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';

interface PageRequest {
  readonly controller: Controller;
  readonly getList: LooseEndpoint;
  readonly params: LooseParams;
  readonly search: PageSearch;
  /** True when the list has been fetched again since the page was requested. Its rows would not belong to the new list. */
  readonly isOutdated: () => boolean;
}

/** The pages that are on their way, by store. Several widgets may show one list. */
const underWay = new WeakMap<Controller, Map<string, Promise<LoadedPage>>>();

/**
 * - The response of a page that was appended.
 * - `outdated`: the list has been fetched again since the page was requested. It was not appended, and an error of it does not count.
 * - `held-up`: a deletion was on its way beside it. The page has to be asked for once more, from the position that the list has then.
 */
export type LoadedPage = { readonly response: unknown } | 'outdated' | 'held-up';

/**
 * Fetches a page and appends it to its list. Requests for a page that is on its way share it.
 *
 * Nothing says whether the server has read a page before or after a deletion that was on its way beside it: a row may be missing. Such a page
 * is not appended. Resolves with `held-up` then, when the deletion has been answered.
 *
 * @throws the error of the page.
 */
export async function loadPage(request: PageRequest): Promise<LoadedPage> {
  const { controller, isOutdated } = request;
  const wasDeleting = watchDeletions(controller);
  const page = wasDeleting()
    ? 'outdated'
    : await shareFetch({ ...request, isOutdated: () => isOutdated() || wasDeleting() });
  if (page !== 'outdated' || !wasDeleting()) return page;
  await untilDeletionsAnswered(controller);
  return 'held-up';
}

/**
 * Not by `controller.fetch`: the page has the key of its list, so after an `invalidate` the fetch of the list would be taken for the page,
 * and never be sent.
 */
function shareFetch(request: PageRequest): Promise<LoadedPage> {
  const { controller, getList, params, search } = request;
  const pages = getOrCreate(underWay, controller, () => new Map<string, Promise<LoadedPage>>());
  const key = JSON.stringify([getList.key(params), paramsKey(search)]);
  return getOrCreate(pages, key, () => fetchPage(request).finally(() => pages.delete(key)));
}

async function fetchPage({ controller, getList, params, search, isOutdated }: PageRequest): Promise<LoadedPage> {
  const endpoint = toPageEndpoint(getList, params, search);
  const args = { ...params, ...search, ...pathParams(getList, params) };
  const requestedAt = Date.now();
  let response: unknown;
  try {
    response = await endpoint(args);
  } catch (caught) {
    const error = caught as Error;
    if (isOutdated()) return 'outdated';
    // The store ends the session for a 401 of an endpoint without one. A session has looked at its own requests already.
    if (!getList.session && !(error instanceof IdentityChangedError)) await controller.setError(endpoint, args, error);
    throw error;
  }
  if (isOutdated()) return 'outdated';
  const entity = findRowEntity(getList.schema);
  const wasDeleted = findDeletedSince(controller, entity?.key ?? '', requestedAt);
  const isDeleted = (row: object) => {
    const key = entity && getPrimaryKey(row, entity.prototype);
    return key !== undefined && wasDeleted(key);
  };
  const appended = withoutRows(response, getListPath(getList.schema), isDeleted);
  // Not by `setResponse`, which counts a response as requested now: a row that was edited since would be as it was before.
  await controller.resolve(endpoint, { args: [args], response: appended, fetchedAt: requestedAt });
  const error = getStoredError(controller, endpoint.key(args));
  if (error) throw error;
  return { response };
}

/** The response without these rows. A row that was deleted during the request would come back, if its class is not the kit's `Entity`. */
function withoutRows(response: unknown, path: readonly string[], leavesOut: (row: object) => boolean): unknown {
  if (Array.isArray(response)) return response.filter(row => !leavesOut(row as object));
  const [name, ...rest] = path;
  if (name === undefined || typeof response !== 'object' || response === null) return response;
  return { ...response, [name]: withoutRows((response as Record<string, unknown>)[name], rest, leavesOut) };
}

/**
 * The endpoint that appends a page to the list with these params: `getPage`, if the page differs from the list by its
 * `paginationField` only, else one that appends to the same list whatever the params of the page are.
 */
function toPageEndpoint(getList: LooseEndpoint, params: LooseParams, search: PageSearch): LooseEndpoint {
  const { paginationField: field } = getList;
  const differsByFieldOnly =
    field !== undefined &&
    !(field in params) &&
    Object.entries(search).every(([name, value]) => name === field || String(params[name]) === String(value));
  return toAppended(differsByFieldOnly ? getList.getPage : getList.paginated(() => [params]));
}

const appendedEndpoints = new WeakMap<LooseEndpoint, LooseEndpoint>();

/** A page shares the key of its list: when it fails, it must not replace the rows. The same endpoint for the same one. */
function toAppended(endpoint: LooseEndpoint): LooseEndpoint {
  const { schema } = endpoint;
  return getOrCreate(appendedEndpoints, endpoint, () =>
    endpoint.extend({ errorPolicy: () => 'soft', schema: withAppendedList(schema, getListPath(schema)) }),
  );
}

/** The rows of a page come last, also when the list is newer because a row was created since: data-client would put older rows first. */
function withAppendedList(schema: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return Object.create(schema as object, { shouldReorder: { value: () => false } });
  return { ...(schema as object), [name]: withAppendedList((schema as Record<string, unknown>)[name], rest) };
}
