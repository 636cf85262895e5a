import type { Controller, Middleware } from '@data-client/react';
import { Article } from '../../../support/articles.js';
import { argsOf } from './readAction.js';

interface Feed {
  /** Calls `onRecord` for each change of this record. Returns the function that ends it. */
  follow(id: string, onRecord: (record: object) => void): () => void;
}

/** Serves `useSubscription` and `useLive` of an article by a feed, in place of polling. */
export class PushSubscriptionManager {
  readonly #feed: Feed;
  readonly #ends = new Map<string, () => void>();

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  middleware: Middleware = controller => next => action => {
    if (action.type !== 'rdc/subscribe' && action.type !== 'rdc/unsubscribe') return next(action);
    if (action.endpoint.schema !== Article) return next(action);
    const [{ id }] = argsOf(action) as [{ id: string }];
    const store = controller as unknown as Controller;
    if (action.type === 'rdc/subscribe')
      this.#ends.set(
        id,
        this.#feed.follow(id, record => void store.setResponse(action.endpoint, { id }, record)),
      );
    else this.#end(id);
    // Not passed on: the provider's own manager would poll.
    return Promise.resolve();
  };

  cleanup() {
    for (const id of this.#ends.keys()) this.#end(id);
  }

  #end(id: string) {
    this.#ends.get(id)?.();
    this.#ends.delete(id);
  }
}
