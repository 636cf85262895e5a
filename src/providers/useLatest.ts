import { useRef } from 'react';
import { useBeforePaint } from './useBeforePaint.js';

/**
 * Returns a ref with the value of the last render that React has shown, for a callback that outlives its render: a listener, an
 * observer, a cleanup. A render that React throws away changes nothing.
 */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useBeforePaint(() => {
    latest.current = value;
  });
  return latest;
}
