import type { Identity } from '../../src/index.js';
import { ErrorReportManager } from '../providers/shown/managers/ErrorReportManager.js';
import { LoggingManager } from '../providers/shown/managers/LoggingManager.js';
import { MetricsManager } from '../providers/shown/managers/MetricsManager.js';
import { PersistManager } from '../providers/shown/managers/PersistManager.js';
import { RefreshManager } from '../providers/shown/managers/RefreshManager.js';
import { TabSyncManager } from '../providers/shown/managers/TabSyncManager.js';
import { ToastManager } from '../providers/shown/managers/ToastManager.js';
import { articleResource } from './articles.js';
import { createNotes } from './createNotes.js';
import { ownApi } from './setupCookieApp.js';
import { setupFeedManagers } from './setupFeedManagers.js';
import { setupWidgetApp } from './setupWidgetApp.js';

/** The app of the stories about managers: any mechanism, a feed that pushes records, and notes that the managers write. */
export function setupManagersApp() {
  const app = setupWidgetApp();
  const { recipes: feedRecipes, ...fed } = setupFeedManagers();
  const notes = createNotes();
  const { getList } = articleResource(ownApi);

  /** The managers of data-client's docs, each made for one identity. */
  const recipes = {
    logging: () => new LoggingManager(type => notes.add(`action ${type}`)),
    errors: ({ subject }: Identity) =>
      new ErrorReportManager((error, { endpoint, user }) => {
        notes.add(`${endpoint} failed for ${user}: ${error.name}`);
      }, subject),
    metrics: () => new MetricsManager(endpoint => notes.add(`measured ${endpoint}`)),
    toasts: () => new ToastManager(notes.add),
    refresh: () => new RefreshManager(),
    tabs: ({ subject = 'signed-out' }: Identity) => new TabSyncManager(subject),
    persistence: ({ subject = 'signed-out' }: Identity) => new PersistManager(subject, [getList]),
    ...feedRecipes,
  };

  return {
    ...app,
    ...fed,
    notes,
    recipes,
    start:
      (personId?: string): ReturnType<typeof app.start> =>
      context => {
        if (context.auth.isRerender) return;
        fed.feed.reset();
        notes.reset();
        return app.start(personId)(context);
      },
  };
}
