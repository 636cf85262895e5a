import { StateContext, useDLE, useSuspense } from '@data-client/react';
import { useContext, useRef } from 'react';
import type { LooseEndpoint, LooseParams } from './resourceTypes.js';

/** An answer, and what it answers. */
export interface PreviousData {
  readonly endpoint: LooseEndpoint;
  readonly params: LooseParams;
  readonly body: unknown;
  /** True while this is an old answer, and a newer one is on its way. */
  readonly isPlaceholderData: boolean;
}

/**
 * Reads by `useSuspense`, and suspends for the first answer only: while another one is on its way (other params, or the same
 * invalidated), the last one stays.
 *
 * With null for params it reads nothing, and the last answer stays.
 *
 * An answer is kept no longer than the store it came from, and for the same resource only. A sign-out or a switch mounts another
 * store, and so another component; a sign-in from nobody empties this one, and what was shown to nobody is forgotten.
 */
export function usePreviousData(endpoint: LooseEndpoint, params: LooseParams | null): PreviousData {
  const { lastReset } = useContext(StateContext);
  const last = useRef<PreviousData & { lastReset: unknown }>(undefined);
  const isSameSource = last.current?.lastReset === lastReset && last.current.endpoint.schema === endpoint.schema;
  const kept = isSameSource ? last.current : undefined;

  // Tells whether reading would suspend, and if so fetches; only one of the two hooks waits at a time.
  const { loading } = useDLE(endpoint, ...([kept ? params : null] as [LooseParams]));
  const waiting = kept && loading ? kept : undefined;
  const body: unknown = useSuspense(endpoint, ...([waiting ? null : params] as [LooseParams]));
  if (waiting) return { ...waiting, isPlaceholderData: true };
  if (params === null && last.current) return last.current;

  last.current = { endpoint, params: params ?? {}, body, isPlaceholderData: false, lastReset };
  return last.current;
}
