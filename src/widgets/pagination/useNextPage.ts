import { useController } from '@data-client/react';
import { useRef, useState } from 'react';
import { useAsyncAction } from '../actions/useAsyncAction.js';
import { getErrorStatus } from '../labels/describeError.js';
import { findList } from '../list/findList.js';
import type { LoadedList } from '../list/ListContent.js';
import { pathParams } from '../shared/params.js';
import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';
import type { LoadedPages, NextPage } from './NextPage.js';
import { countNew, usePagePosition } from './usePagePosition.js';

interface NextPageLoader {
  /** False after the last page. True when the next page could not be found: a retry may find it. */
  readonly hasNextPage: boolean;
  readonly pending: boolean;
  /** Why the last page could not be loaded, or the next one not be found. */
  readonly error: Error | undefined;
  /** Announces the last loaded page; empty before. */
  readonly announcement: string;
  /** Loads the next page, also after an error. Does nothing while a page is loading. */
  readonly loadNext: () => void;
}

/** Finds the next page of a list and loads it. */
export function useNextPage(list: LoadedList, next: NextPage): NextPageLoader {
  const { endpoint, params, body, items, isPlaceholderData, labels } = list;
  const controller = useController();
  const position = usePagePosition(list);
  const { pending, error: loadError, run } = useAsyncAction();
  const [failedBody, setFailedBody] = useState<unknown>();
  const [announcement, setAnnouncement] = useState('');
  const isLoading = useRef(false);

  const { search, error: nextError } = readNextPage(next, {
    body,
    items,
    field: endpoint.paginationField,
    ...position,
  });

  const loadPage = async (pageParams: LooseParams) => {
    // A second press, before `pending` is rendered. data-client sends no second request, but the page would be counted and announced twice.
    if (isLoading.current || isPlaceholderData) return;
    isLoading.current = true;
    setAnnouncement('');
    const response = await run(
      () =>
        controller.fetch(toPageEndpoint(endpoint, params, pageParams), {
          ...params,
          ...pageParams,
          ...pathParams(endpoint, params),
        }) as Promise<unknown>,
    ).catch(() => undefined);
    const rows = response === undefined ? undefined : findList(endpoint.schema, response);
    const added = countNew(rows ?? [], items);
    position.advance(rows);
    if (rows) setAnnouncement(labels.loaded(added, items.length + added));
    else setFailedBody(body);
    isLoading.current = false;
  };

  const loadNext = () => {
    if (search) return void loadPage(search);
    // The response has no usable link to the next page. A new response of the first page may have one.
    if (nextError && !pending) run(() => controller.fetch(endpoint, params) as Promise<unknown>).catch(() => undefined);
  };

  // An error counts for the response it came with: a list that has been fetched again, e.g. after a sign-in, shows none.
  const error = nextError ?? (failedBody === body ? loadError : undefined);
  return { hasNextPage: search !== undefined || nextError !== undefined, pending, error, announcement, loadNext };
}

/** The search params of the next page, or why they could not be read. @throws an error without `status`: it is a bug of the app. */
function readNextPage(next: NextPage, loaded: LoadedPages): { search?: ReturnType<NextPage>; error?: Error } {
  try {
    return { search: next(loaded) };
  } catch (error) {
    if (getErrorStatus(error) === undefined) throw error;
    return { error: error as Error };
  }
}

/**
 * The endpoint that appends a page to the list with these params: `getPage`, if the page differs from the list by its
 * `paginationField` only, else one that appends to the same list whatever the params of the page are.
 */
function toPageEndpoint(getList: LooseEndpoint, params: LooseParams, pageParams: LooseParams): LooseEndpoint {
  const { paginationField: field } = getList;
  const differsByFieldOnly =
    field !== undefined &&
    !(field in params) &&
    Object.entries(pageParams).every(([name, value]) => name === field || String(params[name]) === String(value));
  return withSoftErrors(differsByFieldOnly ? getList.getPage : getList.paginated(() => [params]));
}

const softEndpoints = new WeakMap<LooseEndpoint, LooseEndpoint>();

/** A failed page must not replace the rows: it shares the key of its list. The same endpoint for the same one. */
function withSoftErrors(endpoint: LooseEndpoint): LooseEndpoint {
  const soft = softEndpoints.get(endpoint) ?? endpoint.extend({ errorPolicy: () => 'soft' });
  softEndpoints.set(endpoint, soft);
  return soft;
}
