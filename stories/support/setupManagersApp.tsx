import { setupWidgetApp } from './setupWidgetApp.js';
import { useSyncExternalStore } from 'react';
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
import { useCache, useSubscription, type EndpointInterface } from '@data-client/react';
import { Entity, RestEndpoint, useAuth, useEndpoint } from '../../src/index.js';
import { BatchingStreamManager } from '../providers/shown/managers/BatchingStreamManager.js';
import { ClockManager } from '../providers/shown/managers/ClockManager.js';
import { PushSubscriptionManager } from '../providers/shown/managers/PushSubscriptionManager.js';
import { StreamManager } from '../providers/shown/managers/StreamManager.js';
import { createMockFeed } from './createMockFeed.js';

class Time extends Entity {
  time = '';

  override pk() {
    return 'now';
  }
}

/** Only the manager writes this record; no request reads it. */
const clock = new RestEndpoint({ path: '/clock', schema: Time });

const { get } = articleResource(ownApi);
const read = get as unknown as EndpointInterface;

function Clock() {
  return <p>{`The clock says ${useCache(clock)?.time ?? 'nothing'}.`}</p>;
}

/** Subscribes to one article, signed in or not. */
function Followed() {
  const { status } = useAuth();
  const endpoint = useEndpoint(get);
  useSubscription(endpoint, { id: '2' });
  const article = useCache(endpoint, { id: '2' });
  return <p>{`Followed while ${status}: ${article?.title ?? 'nothing yet'}`}</p>;
}

/** The managers that write into the store without a request: from a feed that pushes records, and from a clock. */
function setupFeedManagers() {
  const feed = createMockFeed();
  return {
    feed,
    Clock,
    Followed,
    recipes: {
      stream: ({ subject = 'signed-out' }: Identity) => new StreamManager(() => feed.open(subject), read),
      batching: ({ subject = 'signed-out' }: Identity) =>
        new BatchingStreamManager(() => feed.open(`${subject}, fast`), read),
      clock: () => new ClockManager(clock),
      push: () => new PushSubscriptionManager(feed),
    },
  };
}

const { getList } = articleResource(ownApi);

/** The managers of data-client's docs, each made for one identity. They report to `note`. */
const managerRecipes = (note: (line: string) => void) => ({
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

/** Lines that code outside of React writes, and a component that lists them. */
function createNotes() {
  let lines: readonly string[] = [];
  const listeners = new Set<() => void>();
  const set = (next: readonly string[]) => {
    lines = next;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const read = () => lines;
  return {
    add: (line: string) => set([...lines, line]),
    reset: () => set([]),
    read,
    Notes: ({ label }: { label: string }) => (
      <section aria-label={label}>
        <ul>
          {useSyncExternalStore(subscribe, read).map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ul>
      </section>
    ),
  };
}

/** The app of the stories about managers: any mechanism, a feed that pushes records, and notes that the managers write. */
export function setupManagersApp() {
  const app = setupWidgetApp();
  const { recipes: feedRecipes, ...fed } = setupFeedManagers();
  const notes = createNotes();

  return {
    ...app,
    ...fed,
    notes,
    recipes: { ...managerRecipes(notes.add), ...feedRecipes },
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
