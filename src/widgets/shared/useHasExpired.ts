import { useSyncExternalStore } from 'react';
import type { LooseEndpoint } from './resourceTypes.js';

const neverChanges = () => () => {};
const no = () => false;

/** Whether the server has ended the session that the endpoint's credentials come from, and nobody has signed in since. Never for a public endpoint. */
export function useHasExpired({ session, public: carriesNothing }: LooseEndpoint): boolean {
  const source = carriesNothing ? undefined : session;
  const hasExpired = source ? () => source.getSnapshot().reason === 'expired' : no;
  return useSyncExternalStore(source?.subscribe ?? neverChanges, hasExpired, no);
}
