import { createContext } from 'react';
import type { RunningClock } from './RunningClock.js';

/** The clock of the nearest provider's session. */
export const SessionClockContext = createContext<RunningClock | undefined>(undefined);
