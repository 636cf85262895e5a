import { DevToolsManager, LogoutManager, NetworkManager, PollingSubscription, SubscriptionManager, type Manager } from '@data-client/react';
import { isJudged } from '../endpoints/judged.js';
import type { SessionEngine } from '../session/SessionEngine.js';

/** Replaced by bundlers, as for data-client itself. */
declare const process: { env: { NODE_ENV?: string } };

class StoreNetworkManager extends NetworkManager {
  /**
   * Fetches of the same millisecond as a reset count as after it. Otherwise two components that ask for one key right
   * after a sign-in make two requests: the base class shares a fetch only when it is strictly newer than the reset.
   */
  protected override getLastReset(): number {
    return super.getLastReset() - 1;
  }
}

/**
 * The managers of one store. A 401 of an endpoint that no session has judged (one of another class) ends the session, once
 * however many arrive; errors that a session has judged are left alone.
 */
export function storeManagers(engine: SessionEngine): Manager[] {
  const departures = engine.getDepartures();
  const network = new StoreNetworkManager();
  const logout = new LogoutManager({
    shouldLogout: error => error.status === 401 && !isJudged(error),
    handleLogout: () => {
      if (departures === engine.getDepartures()) engine.expire(engine.getSnapshot().epoch);
    },
  });
  const managers: Manager[] = [logout, network, new SubscriptionManager(PollingSubscription)];
  if (process.env.NODE_ENV !== 'production') managers.unshift(new DevToolsManager(undefined, network.skipLogging.bind(network)));
  return managers;
}
