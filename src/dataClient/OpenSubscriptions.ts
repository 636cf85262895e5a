import type { StoreAction, StoreDispatch } from './connectManagers.js';

// data-client's constants for these have other names in newer versions, and the same values.
const SUBSCRIBE = 'rdc/subscribe';
const UNSUBSCRIBE = 'rdc/unsubscribe';

interface OpenSubscription {
  readonly action: StoreAction;
  /** True while managers have it. */
  isForwarded: boolean;
}

/**
 * The subscriptions (`useLive`, `useSubscription`) of mounted components. A component subscribes once, when it mounts, so the
 * managers of the next identity get the subscription from here.
 */
export class OpenSubscriptions {
  readonly #open = new Set<OpenSubscription>();

  /**
   * Notes a subscription, or removes one. Without managers (`dispatch` is undefined), a subscription waits for them.
   *
   * @returns undefined when the action is about no subscription.
   */
  handle(action: StoreAction, dispatch: StoreDispatch | undefined): Promise<unknown> | undefined {
    if (action.type === SUBSCRIBE) {
      this.#open.add({ action, isForwarded: dispatch !== undefined });
      return dispatch?.(action) ?? Promise.resolve();
    }
    if (action.type !== UNSUBSCRIBE) return undefined;
    const subscription = this.#find(action);
    if (subscription) this.#open.delete(subscription);
    return (subscription?.isForwarded === false ? undefined : dispatch?.(action)) ?? Promise.resolve();
  }

  /** Subscribes with managers that have started. */
  forward(dispatch: StoreDispatch): void {
    for (const subscription of this.#open) {
      if (subscription.isForwarded) continue;
      subscription.isForwarded = true;
      void dispatch(subscription.action);
    }
  }

  /** Unsubscribes from managers that are about to stop. The components stay subscribed. */
  withdraw(dispatch: StoreDispatch): void {
    for (const subscription of this.#open) {
      if (!subscription.isForwarded) continue;
      subscription.isForwarded = false;
      void dispatch({ ...subscription.action, type: UNSUBSCRIBE });
    }
  }

  #find(unsubscribe: StoreAction): OpenSubscription | undefined {
    for (const subscription of this.#open) {
      const { action } = subscription;
      if (keyOf(action) === keyOf(unsubscribe) && action.endpoint === unsubscribe.endpoint) return subscription;
    }
    return undefined;
  }
}

function keyOf({ key, meta }: StoreAction): string | undefined {
  return key ?? meta?.key;
}
