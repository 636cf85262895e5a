import { useDLE, useSuspense } from '@data-client/react';
import { useRef } from 'react';
import { useLastReset } from '../../dataClient/useLastReset.js';
import type { LooseEndpoint, LooseParams } from './resource.js';

/** Data, and the request that it answers. */
export interface PreviousData {
  readonly endpoint: LooseEndpoint;
  readonly params: LooseParams;
  readonly body: unknown;
  /** True while the data of the previous request is shown and newer data is loading. */
  readonly isPlaceholderData: boolean;
}

interface Read {
  readonly data: unknown;
  readonly loading: boolean;
  readonly error: Error | undefined;
}

/**
 * Reads by `useSuspense`, but suspends for the first data only. While other params load, or the same ones again after `invalidate`, it
 * returns the previous data. With null it reads nothing and returns the previous data.
 *
 * Previous data is used only with the same store and the same schema. A sign-out or a switch of users mounts another store and with it
 * another component. A sign-in of a signed-out user empties the store, and the data from before it is dropped.
 */
export function usePreviousData(endpoint: LooseEndpoint, params: LooseParams | null): PreviousData {
  const lastReset = useLastReset();
  const last = useRef<PreviousData & { lastReset: unknown }>(undefined);
  const isSameSource =
    last.current !== undefined &&
    last.current.lastReset === lastReset &&
    last.current.endpoint.schema === endpoint.schema;
  const previous = isSameSource ? last.current : undefined;

  // `useDLE` reads what `useSuspense` would return, and says whether it would suspend. Each read walks all rows, so only one of the two
  // hooks gets params.
  const read = useDLE(endpoint, ...([previous ? params : null] as [LooseParams])) as Read;
  const first: unknown = useSuspense(endpoint, ...([previous ? null : params] as [LooseParams]));
  if (previous && params !== null) {
    if (read.loading) return { ...previous, isPlaceholderData: true };
    // As `useSuspense` does: the boundary shows it.
    if (read.error) throw read.error;
  }
  const body = previous ? read.data : first;
  if (params === null && last.current) return last.current;

  last.current = { endpoint, params: params ?? {}, body, isPlaceholderData: false, lastReset };
  return last.current;
}
