// The pages of a list that are loaded: how they are fetched again, and how the next one is appended.
import { useController, type Controller } from '@data-client/react';
import { useMemo } from 'react';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { getAnswerMeta, useAnswerMeta } from '../../dataClient/storedResponses.js';
import { getOrCreate } from '../../getOrCreate.js';
import { isDevelopment } from '../../isDevelopment.js';
import { untilDeletionsAnswered, watchDeletions } from '../actions/deletion.js';
import { failureKind, getErrorStatus } from '../labels/failureKind.js';
import type { LoadedList } from '../list/ListContent.js';
import {
  detectAnotherPage,
  detectNextPage,
  findTotal,
  type DetectedPage,
  type NextPageFound,
  type PageSearch,
} from '../nextPage/detectNextPage.js';
import type { LoadedPages, NextPage } from '../nextPage/NextPage.js';
import { findList, findRowEntity, getListPath, keyOf, type RowKey } from '../shared/findList.js';
import { paramsKey, pathParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';

/** The loaded pages of a list, as the server has sent them. */
export interface SentPages extends Pick<LoadedPages, 'pages' | 'offset' | 'lastPageSize' | 'lastKey'> {
  /** The pages after the first one that were requested. */
  readonly requested: ReadonlySet<string>;
  /** The number of rows in the list before the last page. */
  readonly rowsBefore: number;
  /** True if the last page was found by a link or a cursor. */
  readonly wasLinked: boolean;
}

const NO_PAGES: SentPages = {
  pages: 0,
  offset: 0,
  lastPageSize: 0,
  lastKey: undefined,
  requested: new Set(),
  rowsBefore: 0,
  wasLinked: false,
};

/** Returns what identifies a row: its primary key, or the row itself if it has none. */
function keyReader({ schema }: LooseEndpoint): (row: object) => RowKey {
  const entity = findRowEntity(schema);
  // The store has not made an entity of a row that the server has sent.
  return row => (entity && getPrimaryKey(row, entity.prototype)) ?? keyOf(row);
}

function addPage(
  sent: SentPages,
  {
    getList,
    rows,
    found,
    rowsBefore,
  }: { getList: LooseEndpoint; rows: readonly object[]; found?: NextPageFound | undefined; rowsBefore: number },
): SentPages {
  const last = rows.at(-1);
  const lastKey = last && keyReader(getList)(last);
  return {
    pages: sent.pages + 1,
    offset: sent.offset + rows.length,
    lastPageSize: rows.length,
    lastKey: typeof lastKey === 'string' ? lastKey : undefined,
    requested: found ? new Set([...sent.requested, paramsKey(found.search)]) : sent.requested,
    rowsBefore,
    wasLinked: found?.by === 'link',
  };
}

/** A list in the store. It outlives the widgets that show it, as the rows do. */
export interface PagedList {
  sent: SentPages;
  /** The rows at the newest answer, with those that the user had created. */
  rows: readonly object[];
  /** What the store says about the newest answer: another object for each, also for answers that never expire. */
  meta: object | undefined;
  /** The pages of the answer that is about to be stored. Without them, an answer is the first page. */
  incoming: SentPages | undefined;
  /** How many rows a press wants, for which further pages are fetched when the list is fetched again. */
  wanted: number;
  /** The next page, on its way. Several widgets may show the list. */
  appending: Promise<SentPages | undefined> | undefined;
  /** The page that the server did not have, after which the list was fetched again. */
  missing: string | undefined;
}

const listsByStore = new WeakMap<Controller, Map<string, PagedList>>();

function getPagedList(controller: Controller, key: string): PagedList {
  const lists = getOrCreate(listsByStore, controller, () => new Map<string, PagedList>());
  // A sign-in of a signed-out user empties the store.
  return getOrCreate(lists, `${String(controller.getState().lastReset)} ${key}`, () => ({
    sent: NO_PAGES,
    rows: [],
    meta: undefined,
    incoming: undefined,
    wanted: 0,
    appending: undefined,
    missing: undefined,
  }));
}

/** The loaded pages of a list, and its rows in the store: also those that are hidden while their deletion can be undone. */
export function usePagedList({ endpoint, params, body }: LoadedList): {
  list: PagedList;
  rows: readonly object[];
  /** True if the newest fetch has failed. */
  hasFailed: boolean;
} {
  const key = endpoint.key(params);
  const list = getPagedList(useController(), key);
  const rows = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  const meta = useAnswerMeta(key);
  const isAnswer = meta && meta !== list.meta && meta.expiresAt > 1 && !meta.error;
  if (isAnswer || list.sent.pages === 0) {
    list.sent = list.incoming ?? addPage(NO_PAGES, { getList: endpoint, rows, rowsBefore: 0 });
    Object.assign(list, { rows, meta, incoming: undefined, wanted: 0 });
  }
  return { list, rows, hasFailed: meta?.error !== undefined };
}

/**
 * Fetches the loaded pages of a list in order, each as the answer before it says, and those that a press wants. The response is that of the last
 * page with the rows of all, so the rows of before stay until all pages are there.
 */
export async function fetchPages(
  controller: Controller,
  getList: LooseEndpoint,
  params: LooseParams,
  next: NextPage | undefined,
): Promise<unknown> {
  const list = getPagedList(controller, getList.key(params));
  const readKey = keyReader(getList);
  const rows = new Map<RowKey, object>();
  let sent = NO_PAGES;
  let body: unknown;
  let found: NextPageFound | undefined;
  list.incoming = undefined;
  do {
    try {
      const page = found ? toPageRequest(getList, params, found.search) : { endpoint: getList, args: params };
      body = await page.endpoint(page.args);
    } catch (error) {
      if (!found || failureKind(error as Error) !== 'not-found') throw error;
      // The server has fewer pages now.
      break;
    }
    const received = findList(getList.schema, body);
    const rowsBefore = rows.size;
    for (const row of received) rows.set(readKey(row), row);
    sent = addPage(sent, { getList, rows: received, found, rowsBefore });
    const answered = { body, rows: [...rows.values()], received: rows.size, sent };
    // A server whose total is too high names pages without end.
    const isShort = sent.pages < list.sent.pages || rows.size < list.wanted;
    const goesOn = isShort && bringsRows(sent, rows.size);
    found = goesOn ? findNextPage(getList, answered, next).more : undefined;
  } while (found);
  list.incoming = sent;
  return sent.pages === 1 ? body : withRows(body, getListPath(getList.schema), [...rows.values()]);
}

/** The response with these rows in place of its own. */
function withRows(response: unknown, [name, ...rest]: readonly string[], rows: readonly object[]): unknown {
  if (name === undefined || Array.isArray(response)) return rows;
  return { ...(response as object), [name]: withRows((response as Record<string, unknown>)[name], rest, rows) };
}

interface PageRequest {
  readonly controller: Controller;
  readonly getList: LooseEndpoint;
  readonly params: LooseParams;
  readonly found: NextPageFound;
  /** Fetches all pages again. Does not reject. */
  readonly fetchAgain: () => Promise<unknown>;
}

/**
 * Fetches the next page and appends it to its list. If rows have come or gone since the newest answer, or a deletion was on its way, the server
 * has moved rows between pages: all pages are fetched again, until there is one row more. After a 404 they are fetched again, too: others have
 * deleted rows. Resolves with the pages that are loaded then; with undefined if the page does not belong to them any more.
 *
 * @param rows The rows of the list now.
 * @throws the error of the page; a 404 if the list still names the page.
 */
export function loadNextPage(request: PageRequest, rows: readonly object[]): Promise<SentPages | undefined> {
  const { controller, getList, params, fetchAgain } = request;
  const list = getPagedList(controller, getList.key(params));
  const load = async () => {
    const wasDeleting = await untilDeletionsAnswered(controller);
    const hasMoved = wasDeleting || (rows !== list.rows && !hasSameRows(rows, list.rows));
    const result = hasMoved ? 'moved' : await appendPage(request, list);
    if (result === 'moved') list.wanted = rows.length + 1;
    if (result === 'moved' || result === 'missing') await fetchAgain();
    return result === 'dropped' ? undefined : (list.incoming ?? list.sent);
  };
  list.appending ??= load().finally(() => (list.appending = undefined));
  return list.appending;
}

function hasSameRows(a: readonly object[], b: readonly object[]): boolean {
  const keys = new Set(a.map(keyOf));
  return a.length === b.length && b.every(row => keys.has(keyOf(row)));
}

async function appendPage(
  { controller, getList, params, found }: PageRequest,
  list: PagedList,
): Promise<'done' | 'dropped' | 'moved' | 'missing'> {
  const key = getList.key(params);
  const wasDeleting = watchDeletions(controller, findRowEntity(getList.schema)?.key ?? '');
  const { sent } = list;
  const meta = getAnswerMeta(controller, key);
  const isOutdated = () => getAnswerMeta(controller, key) !== meta;
  const { endpoint, args } = toPageRequest(getList, params, found.search);
  const requestedAt = Date.now();
  let response: unknown;
  try {
    response = await endpoint(args);
  } catch (caught) {
    const error = caught as Error;
    if (isOutdated()) return 'dropped';
    const search = paramsKey(found.search);
    if (failureKind(error) === 'not-found' && list.missing !== search) {
      list.missing = search;
      return 'missing';
    }
    // The store ends the session for a 401 of an endpoint without one, and the list shows it.
    if (getList.session || getErrorStatus(error) !== 401) throw error;
    await controller.setError(endpoint, args, error);
    return 'dropped';
  }
  if (isOutdated()) return 'dropped';
  if (wasDeleting()) {
    await untilDeletionsAnswered(controller);
    return 'moved';
  }
  const rows = findList(getList.schema, response);
  list.incoming = addPage(sent, { getList, rows, found, rowsBefore: list.rows.length });
  // Not by `setResponse`, which counts a response as requested now: a row that was edited since would be as it was before.
  await controller.resolve(endpoint, { args: [args], response, fetchedAt: requestedAt });
  const error = getAnswerMeta(controller, key)?.error;
  if (error) {
    list.incoming = undefined;
    throw error;
  }
  return 'done';
}

/**
 * The request of a page, by the endpoint that appends it to the list with these params: `getPage`, if the page differs from the list by its
 * `paginationField` only, else one that appends to the same list whatever the params of the page are.
 */
function toPageRequest(getList: LooseEndpoint, params: LooseParams, search: PageSearch) {
  const { paginationField: field } = getList;
  const differsByFieldOnly =
    field !== undefined &&
    !(field in params) &&
    Object.entries(search).every(([name, value]) => name === field || String(params[name]) === String(value));
  const endpoint = toAppended(differsByFieldOnly ? getList.getPage : getList.paginated(() => [params]));
  return { endpoint, args: { ...params, ...search, ...pathParams(getList, params) } };
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

interface Answered {
  /** The newest response. */
  readonly body: unknown;
  readonly rows: readonly object[];
  /** The number of rows at the newest response. */
  readonly received: number;
  readonly sent: SentPages;
}

interface NextPageResult {
  readonly found?: DetectedPage;
  /** The page to load. */
  readonly more?: NextPageFound;
  /** True if the response names a next page that `next` has not found. */
  readonly isMissed?: boolean;
  readonly error?: Error;
}

/**
 * The next page, or why it could not be read. A page that was requested already is not requested again, and after a page without new rows
 * counting stops: nothing says then whether there are more.
 *
 * @throws an error without `status`: it is a bug of the app.
 */
export function findNextPage(
  { schema, paginationField: field }: LooseEndpoint,
  { body, rows, received, sent }: Answered,
  next: NextPage | undefined,
): NextPageResult {
  const { pages, offset, lastPageSize, lastKey, wasLinked } = sent;
  const loaded = { body, items: rows, field, pages, offset, lastPageSize, lastKey };
  const answer = { ...loaded, path: getListPath(schema), received, wasLinked };
  try {
    const found = next ? byApp(next(loaded), findTotal(answer)) : detectNextPage(answer);
    if (found.state !== 'more') return { found, isMissed: isDevelopment && pages === 1 && isLinked(answer) };
    const isStuck = found.by === 'counting' && !bringsRows(sent, received);
    const leadsNowhere = isStuck || sent.requested.has(paramsKey(found.search));
    return leadsNowhere ? { found: { state: 'unknown', total: found.total } } : { found, more: found };
  } catch (error) {
    if (getErrorStatus(error) === undefined) throw error;
    return { error: error as Error };
  }
}

/** False if the last page has brought no new row. */
export function bringsRows({ pages, rowsBefore }: SentPages, received: number): boolean {
  return pages === 1 || received > rowsBefore;
}

/** True if the response has a link or a cursor for the next page, which the `next` prop may have missed. */
function isLinked(answer: Parameters<typeof detectAnotherPage>[0]): boolean {
  const detected = detectAnotherPage(answer);
  return detected.state === 'more' && detected.by === 'link';
}

function byApp(search: PageSearch | undefined, total: number | undefined): DetectedPage {
  return search ? { state: 'more', by: 'number', search, total } : { state: 'end', total };
}
