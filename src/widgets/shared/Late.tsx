import type { ReactNode } from 'react';
import { useLate } from './useLate.js';

/** Shows its children 300 ms after it was mounted; at once, where they are on the screen already. */
export function Late({ at = 'later', children }: { at?: 'once' | 'later'; children: ReactNode }): ReactNode {
  const isLate = useLate(at === 'later');
  return isLate || at === 'once' ? children : null;
}
