import {
  DevToolsManager,
  LogoutManager,
  NetworkManager,
  PollingSubscription,
  SubscriptionManager,
  type Manager,
} from '@data-client/react';
import { IdentityChangedError, screenEndedError } from '../errors.js';
import { isDevelopment } from '../isDevelopment.js';
import type { SessionCore } from '../session/extension.js';
import { isHandled, warningWithoutSession } from '../session/errorMarks.js';
import { warnOnce } from '../warnOnce.js';
import type { HostedManagers } from './HostedManagers.js';
import { SignInManager } from './SignInManager.js';
import type { UserRecord } from './UserRecord.js';
import { WaitForMount } from './WaitForMount.js';

/**
 * True for the result of a fetch that was aborted by a change of identity. The result's field has another name in each
 * version of data-client.
 */
function isAborted(action: object): boolean {
  return Object.values(action).some(value => value instanceof IdentityChangedError);
}

/**
 * data-client's `NetworkManager` for a store whose identity may end during fetches. Each fetch settles the promises of its own
 * callers, and no others.
 */
class StoreNetworkManager extends NetworkManager {
  readonly #generationEnd: AbortSignal;

  constructor(generationEnd: AbortSignal) {
    super();
    this.#generationEnd = generationEnd;
  }

  /**
   * Counts a fetch in the same millisecond as a reset as newer than the reset. Otherwise two components that fetch one key right
   * after a sign-in would send two requests: the base class shares a fetch only when it is strictly newer than the reset.
   */
  protected override getLastReset(): number {
    return super.getLastReset() - 1;
  }

  /** For each shared fetch, the promise that its callers get. */
  readonly #outcomes = new WeakMap<Promise<unknown>, Promise<unknown>>();

  /** Also rejects when a change of identity aborts the fetch. The base class waits for a dispatch, which an unmounted store never gets. */
  protected override throttle(...[key, fetch, createdAt]: Parameters<NetworkManager['throttle']>): Promise<unknown> {
    let abort!: (reason: Error) => void;
    const aborted = new Promise<never>((_, reject) => (abort = reject));
    aborted.catch(() => {});
    const fetchUnlessAborted = async (): Promise<unknown> => {
      try {
        // The base class waits until the browser is idle. By then the identity may have changed.
        if (this.#generationEnd.aborted) throw screenEndedError();
        return await fetch();
      } catch (error) {
        if (error instanceof IdentityChangedError) abort(error);
        throw error;
      }
    };
    const shared = super.throttle(key, fetchUnlessAborted, createdAt);
    const outcome = this.#outcomes.get(shared) ?? Promise.race([shared, aborted]);
    this.#outcomes.set(shared, outcome);
    return outcome;
  }

  /** The base class drops answers that arrive while no store is mounted, and their callers wait for ever. `WaitForMount` holds them. */
  override cleanup(): void {}

  /** Ignores the result of an aborted fetch, so that it does not settle the next fetch of the same key. */
  protected override handleSet(action: Parameters<NetworkManager['handleSet']>[0]): void {
    if (!isAborted(action)) super.handleSet(action);
  }
}

/**
 * The managers of one store. A 401 that no session has handled (from an endpoint of another class) ends the session, only once
 * even if several arrive. `LogoutManager` ignores errors that a session has handled.
 *
 * The app's managers come before the kit's, which answer fetches and subscriptions and pass them no further.
 */
export function storeManagers(session: SessionCore, hosted?: HostedManagers, userRecord?: UserRecord): Manager[] {
  const generationEnd = session.getStoreGenerationSignal();
  const network = new StoreNetworkManager(generationEnd);
  const logout = new LogoutManager({
    shouldLogout: error => {
      const { status } = error;
      // Django REST framework answers 403 to a request without credentials.
      if ((status !== 401 && status !== 403) || isHandled(error)) return false;
      // Here and not in `handleLogout`, which does not get the error.
      const warning = isDevelopment ? warningWithoutSession(error, status) : undefined;
      if (warning) warnOnce(warning);
      return status === 401;
    },
    handleLogout: () => {
      if (!generationEnd.aborted) session.expire();
    },
  });
  const managers: Manager[] = [
    new SignInManager(session, hosted, userRecord),
    logout,
    network,
    new SubscriptionManager(PollingSubscription),
  ];
  if (isDevelopment) managers.unshift(new DevToolsManager(undefined, network.skipLogging.bind(network)));
  return [new WaitForMount(), ...managers];
}
