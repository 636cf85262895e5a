import { useCache, useSubscription, type EndpointInterface } from '@data-client/react';
import { Entity, RestEndpoint, useAuth, useEndpoint, type Identity } from '../../src/index.js';
import { BatchingStreamManager } from '../providers/shown/managers/BatchingStreamManager.js';
import { ClockManager } from '../providers/shown/managers/ClockManager.js';
import { ErrorReportManager } from '../providers/shown/managers/ErrorReportManager.js';
import { LoggingManager } from '../providers/shown/managers/LoggingManager.js';
import { MetricsManager } from '../providers/shown/managers/MetricsManager.js';
import { PersistManager } from '../providers/shown/managers/PersistManager.js';
import { PushSubscriptionManager } from '../providers/shown/managers/PushSubscriptionManager.js';
import { RefreshManager } from '../providers/shown/managers/RefreshManager.js';
import { StreamManager } from '../providers/shown/managers/StreamManager.js';
import { TabSyncManager } from '../providers/shown/managers/TabSyncManager.js';
import { ToastManager } from '../providers/shown/managers/ToastManager.js';
import { articleResource } from './articles.js';
import { createMockFeed } from './createMockFeed.js';
import { createNotes } from './createNotes.js';
import { ownApi } from './setupCookieApp.js';
import { setupWidgetApp } from './setupWidgetApp.js';

class Time extends Entity {
  time = '';

  override pk() {
    return 'now';
  }
}

/** Only the manager writes this record; no request reads it. */
const clock = new RestEndpoint({ path: '/clock', schema: Time });

/** The app of the stories about managers: any mechanism, a feed that pushes records, and notes that the managers write. */
export function setupManagersApp() {
  const app = setupWidgetApp();
  const feed = createMockFeed();
  const notes = createNotes();
  const { get, getList } = articleResource(ownApi);
  const read = get as unknown as EndpointInterface;

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
    stream: ({ subject = 'signed-out' }: Identity) => new StreamManager(() => feed.open(subject), read),
    batching: ({ subject = 'signed-out' }: Identity) =>
      new BatchingStreamManager(() => feed.open(`${subject}, fast`), read),
    clock: () => new ClockManager(clock),
    push: () => new PushSubscriptionManager(feed),
  };

  function Clock() {
    return <p>{`The clock says ${useCache(clock)?.time ?? 'nothing'}.`}</p>;
  }

  /** Subscribes to one article, signed in or not. */
  function Followed() {
    const { status } = useAuth();
    const endpoint = useEndpoint(articleResource(ownApi).get);
    useSubscription(endpoint, { id: '2' });
    const article = useCache(endpoint, { id: '2' });
    return <p>{`Followed while ${status}: ${article?.title ?? 'nothing yet'}`}</p>;
  }

  return {
    ...app,
    feed,
    notes,
    recipes,
    Clock,
    Followed,
    start:
      (personId?: string): ReturnType<typeof app.start> =>
      context => {
        if (context.auth.isRerender) return;
        feed.reset();
        notes.reset();
        return app.start(personId)(context);
      },
  };
}
