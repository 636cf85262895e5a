import { DevToolsManager, LogoutManager, NetworkManager, PollingSubscription, SubscriptionManager, type Manager } from '@data-client/react';
import { IdentityChangedError } from '../errors.js';
import type { SessionCore } from '../session/core.js';
import { isHandled } from '../session/handledErrors.js';
import { screenEndedError } from '../session/screenEndedError.js';
import { SignInManager } from './SignInManager.js';

/** Replaced by bundlers, as for data-client itself. */
declare const process: { env: { NODE_ENV?: string } };

/** What a store is told of a fetch; its field for the answer has another name in each version. */
function isCalledOff(action: object): boolean {
  return Object.values(action).some(value => value instanceof IdentityChangedError);
}

/**
 * data-client's manager of fetches, for a store whose identity may end while some are under way: each of them settles for
 * its own callers, and for nobody else's.
 */
class StoreNetworkManager extends NetworkManager {
  readonly #generationEnd: AbortSignal;

  constructor(generationEnd: AbortSignal) {
    super();
    this.#generationEnd = generationEnd;
  }

  /**
   * Fetches of the same millisecond as a reset count as after it. Otherwise two components that ask for one key right
   * after a sign-in make two requests: the base class shares a fetch only when it is strictly newer than the reset.
   */
  protected override getLastReset(): number {
    return super.getLastReset() - 1;
  }

  /** What each shared fetch comes to for those who wait for it. */
  readonly #outcomes = new WeakMap<Promise<unknown>, Promise<unknown>>();

  /** A store that is gone is told nothing more, so the base class would leave those who wait for a read waiting for ever. */
  protected override throttle(...[key, fetch, createdAt]: Parameters<NetworkManager['throttle']>): Promise<unknown> {
    let callOff!: (reason: Error) => void;
    const calledOff = new Promise<never>((_, reject) => (callOff = reject));
    calledOff.catch(() => {});
    const watched = async (): Promise<unknown> => {
      try {
        // The base class waits until the browser is idle; by then the identity may have left.
        if (this.#generationEnd.aborted) throw screenEndedError();
        return await fetch();
      } catch (error) {
        if (error instanceof IdentityChangedError) callOff(error);
        throw error;
      }
    };
    const shared = super.throttle(key, watched, createdAt);
    const outcome = this.#outcomes.get(shared) ?? Promise.race([shared, calledOff]);
    this.#outcomes.set(shared, outcome);
    return outcome;
  }

  /** A fetch that was called off does not settle the next one of the same key. */
  protected override handleSet(action: Parameters<NetworkManager['handleSet']>[0]): void {
    if (!isCalledOff(action)) super.handleSet(action);
  }
}

/**
 * The managers of one store. A 401 of an endpoint that no session has judged (one of another class) ends the session, once
 * however many arrive; errors that a session has judged are left alone.
 */
export function storeManagers(session: SessionCore): Manager[] {
  const generationEnd = session.getStoreGenerationSignal();
  const network = new StoreNetworkManager(generationEnd);
  const logout = new LogoutManager({
    shouldLogout: error => error.status === 401 && !isHandled(error),
    handleLogout: () => {
      if (!generationEnd.aborted) session.expire();
    },
  });
  const managers: Manager[] = [new SignInManager(session), logout, network, new SubscriptionManager(PollingSubscription)];
  if (process.env.NODE_ENV !== 'production') managers.unshift(new DevToolsManager(undefined, network.skipLogging.bind(network)));
  return managers;
}
