import { useController } from '@data-client/react';
import { useEffect, useMemo, useRef } from 'react';
import { expireSoon, useDeletedCount, useExpiry } from '../../dataClient/deletions.js';
import type { LooseEndpoint, LooseParams } from '../shared/resource.js';
import { usePreviousData, type PreviousData } from '../shared/usePreviousData.js';
import { findList, findRowEntity } from './findList.js';

/** A list as it is shown, maybe with the data of a previous request. */
export interface ShownList extends PreviousData {
  /** The key of the list and its params in the store. */
  readonly listKey: string;
  /** How many records of the rows' class were deleted, on this page or elsewhere. */
  readonly deletions: number;
}

/** Reads a list. Its rows are in `found`. */
export function useShownList(endpoint: LooseEndpoint, params: LooseParams): ShownList & { found: readonly object[] } {
  const shown = usePreviousData(endpoint, params);
  const { schema } = shown.endpoint;
  const found = useMemo(() => findList(schema, shown.body), [schema, shown.body]);
  const deletions = useFetchAgainAfterDeletion(endpoint, params);
  return { ...shown, found, deletions, listKey: shown.endpoint.key(shown.params) };
}

/**
 * A row is deleted while the list is fetched: the response may be from before the deletion, with a row too few and wrong counts. So the list
 * is fetched once more when it is there.
 *
 * @returns how many records of the rows' class were deleted.
 */
function useFetchAgainAfterDeletion(endpoint: LooseEndpoint, params: LooseParams): number {
  const controller = useController();
  const key = endpoint.key(params);
  const expiry = useExpiry(key);
  const deletions = useDeletedCount(findRowEntity(endpoint.schema)?.key ?? '');
  const before = useRef({ key, expiry, deletions });
  const outdatedKey = useRef<string>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = { key, expiry, deletions };
    const isUnderWay = expiry <= 1;
    if (deletions > was.deletions && (isUnderWay || (was.key === key && was.expiry <= 1))) outdatedKey.current = key;
    if (isUnderWay || outdatedKey.current !== key) return;
    outdatedKey.current = undefined;
    expireSoon(controller, other => other === key);
  }, [controller, key, expiry, deletions]);
  return deletions;
}
