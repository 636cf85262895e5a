import type { CDPSession, Page } from 'playwright';
import type { Rounds } from './app/compare.js';
import type { benchServer } from './support/benchServer.js';

/** What the measures of all rows share. */
export interface MeasureRun extends Rounds {
  /** Fewer repetitions where they are no rounds. */
  readonly isQuick: boolean;
  readonly server: Awaited<ReturnType<typeof benchServer>>;
  /** Opens the page in a tab of its own, which is closed after its use. */
  readonly inPage: <T>(look: (page: Page, devtools: CDPSession) => Promise<T>) => Promise<T>;
}
