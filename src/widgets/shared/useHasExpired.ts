import { useSyncExternalStore } from 'react';
import type { LooseEndpoint } from './resourceTypes.js';

const subscribeToNothing = () => () => {};
const returnFalse = () => false;

/** Whether the server has ended the endpoint's session and no user has signed in since. False for a public endpoint, and while it is locked. */
export function useHasExpired({ session, public: isPublic }: LooseEndpoint): boolean {
  const source = isPublic ? undefined : session;
  const isExpired = () => {
    const { status, reason } = source!.getSnapshot();
    return status === 'anonymous' && reason === 'expired';
  };
  const hasExpired = source ? isExpired : returnFalse;
  return useSyncExternalStore(source?.subscribe ?? subscribeToNothing, hasExpired, returnFalse);
}
