import { createContext } from 'react';
import type { ExpiryLock } from './ExpiryLock.js';

/** The `onExpiry` of the nearest provider. */
export const LockContext = createContext<ExpiryLock | undefined>(undefined);
