import { useCache, useSubscription, type EndpointInterface } from '@data-client/react';
import { Entity, RestEndpoint, useAuth, useEndpoint } from '../../src/index.js';
import type { Identity } from '../../src/entries/managers.js';
import { BatchingStreamManager } from '../providers/shown/managers/BatchingStreamManager.js';
import { ClockManager } from '../providers/shown/managers/ClockManager.js';
import { PushSubscriptionManager } from '../providers/shown/managers/PushSubscriptionManager.js';
import { StreamManager } from '../providers/shown/managers/StreamManager.js';
import { articleResource } from './articles.js';
import { createMockFeed } from './createMockFeed.js';
import { ownApi } from './setupCookieApp.js';

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
export function setupFeedManagers() {
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
