import { useCache } from '@data-client/react';
import type { UserRecord } from './UserRecord.js';

/** Returns the user as the store has them; undefined until it does. Renders at each change of the store, as data-client's hooks do. */
export function useUserRecord({ endpoint, subject }: UserRecord): unknown {
  return useCache(endpoint, subject);
}
