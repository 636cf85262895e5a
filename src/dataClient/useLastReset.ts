import { StateContext } from '@data-client/react';
import { useContext } from 'react';

/** A value that changes when the store is emptied, and not otherwise. */
export function useLastReset(): unknown {
  return useContext(StateContext).lastReset;
}
