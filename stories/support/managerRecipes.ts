import type { Identity } from '../../src/entries/managers.js';
import { ErrorReportManager } from '../providers/shown/managers/ErrorReportManager.js';
import { LoggingManager } from '../providers/shown/managers/LoggingManager.js';
import { MetricsManager } from '../providers/shown/managers/MetricsManager.js';
import { PersistManager } from '../providers/shown/managers/PersistManager.js';
import { RefreshManager } from '../providers/shown/managers/RefreshManager.js';
import { TabSyncManager } from '../providers/shown/managers/TabSyncManager.js';
import { ToastManager } from '../providers/shown/managers/ToastManager.js';
import { articleResource } from './articles.js';
import { ownApi } from './setupCookieApp.js';

const { getList } = articleResource(ownApi);

/** The managers of data-client's docs, each made for one identity. They report to `note`. */
export const managerRecipes = (note: (line: string) => void) => ({
  logging: () => new LoggingManager(type => note(`action ${type}`)),
  errors: ({ subject }: Identity) =>
    new ErrorReportManager((error, { endpoint, user }) => {
      note(`${endpoint} failed for ${user}: ${error.name}`);
    }, subject),
  metrics: () => new MetricsManager(endpoint => note(`measured ${endpoint}`)),
  toasts: () => new ToastManager(note),
  refresh: () => new RefreshManager(),
  tabs: ({ subject = 'signed-out' }: Identity) => new TabSyncManager(subject),
  persistence: ({ subject = 'signed-out' }: Identity) => new PersistManager(subject, [getList]),
});
