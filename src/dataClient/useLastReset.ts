import { StateContext } from '@data-client/react';
import { useContext } from 'react';

/** Returns a value that changes only when the store is emptied. */
export function useLastReset(): unknown {
  return useContext(StateContext).lastReset;
}
