import { DEFAULT_TIMEOUT_MS, systemClock } from '../../../src/clock.js';
import { createTabGate } from '../../../src/session/tabGate.js';
import type { TabGateEvents } from '../../../src/session/tabGate.js';

/** The gate of a mechanism whose credential the browser keeps, for one page. */
export const pageGate =
  (clock = systemClock, timeoutMs = DEFAULT_TIMEOUT_MS) =>
  (events: TabGateEvents) =>
    createTabGate({ name: false, clock, timeoutMs, events });
