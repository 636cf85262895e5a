import { useController } from '@data-client/react';
import { useState } from 'react';
import { getOrCreate } from '../../getOrCreate.js';
import { isDevelopment } from '../../isDevelopment.js';
import { warnOnce } from '../../warnOnce.js';
import { assertHookified, useStableParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';
import type { ListOptions } from './ResourceListProps.js';

/** The one page of a list that is shown at a time. */
export interface ShownPage {
  /** The search params of the page. */
  readonly search: LooseParams;
  /** Fetches the page again, and the other pages when they are shown. */
  readonly expire: () => Promise<void>;
  /** The same, and what is in the store is not shown as current until then. */
  readonly invalidate: () => Promise<void>;
}

interface ListRequest {
  readonly endpoint: LooseEndpoint;
  /** The params of the list, without those of a page. Null waits until they are known. */
  readonly listParams: LooseParams | null;
  /** The params of the request. The same object as long as they are equal. */
  readonly params: LooseParams | null;
  /** Fetches the list again. What is in the store is not shown as current until then. */
  readonly invalidate: () => Promise<void>;
}

/** What a list reads: its endpoint with its params, as a whole or the one page that is shown. */
export function useListRequest(
  { resource, params: given, create }: ListOptions,
  page: ShownPage | undefined,
): ListRequest {
  if (isDevelopment) {
    assertHookified(resource, 'useGetList');
    if (create && !ENDS.has(create))
      warnOnce(
        `A list shows no form for new rows, because its \`create\` is ${String(create)}. Write create="push" for the end of the list, or create="unshift" for its start.`,
      );
  }
  const getList = resource.useGetList() as LooseEndpoint;
  const [wasInvalidated, setInvalidated] = useState(false);
  // Further pages, too: those in the HTTP cache are of the list before.
  const endpoint = wasInvalidated ? pastHttpCache(getList) : getList;
  const listParams = useStableParams(given);
  const params = useStableParams(listParams && { ...listParams, ...page?.search });
  const controller = useController();
  const invalidate = () => {
    setInvalidated(true);
    return page ? page.invalidate() : controller.invalidate(endpoint, params);
  };
  return { endpoint, listParams, params, invalidate };
}

/** The ends of a list that a new row can join. */
const ENDS: ReadonlySet<string> = new Set(['push', 'unshift']);

const revalidating = new WeakMap<LooseEndpoint, LooseEndpoint>();

/**
 * The endpoint, so that its requests reach the server although the HTTP cache has an answer. The same endpoint for the same one.
 *
 * Requests of a session use no HTTP cache anyway, unless the endpoint sets `cache`.
 */
function pastHttpCache(endpoint: LooseEndpoint): LooseEndpoint {
  const cache = endpoint.requestInit?.cache ?? (endpoint.session ? 'no-store' : 'default');
  if (cache === 'no-store' || cache === 'no-cache' || cache === 'reload') return endpoint;
  return getOrCreate(revalidating, endpoint, () =>
    endpoint.extend({ requestInit: { ...endpoint.requestInit, cache: 'no-cache' } }),
  );
}
