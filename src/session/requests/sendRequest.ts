import { untilAborted } from '../../clock.js';
import { OtherUserResponseError } from '../../errors.js';
import { notifyListeners } from '../../notifyListeners.js';
import { classifyRefusal } from './classifyRefusal.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import type { AuthFailure } from './credentialHandling.js';
import { SharedSignInError } from '../sharedOnServer.js';
import { responseOf } from './responseOf.js';
import { untilUnlocked } from './untilUnlocked.js';
import { createRequestScope, type RequestScope, type RequestToSend } from './requestScope.js';

/** A request is sent once, and once more with another credential; see `#handleRefusal`. After an answered challenge, this starts over. */
const ATTEMPTS = 2;

type Modules<Credential, User> = Pick<
  SessionModules<Credential, User>,
  'restore' | 'recheck' | 'refresh' | 'refreshAhead' | 'authCalls' | 'credential' | 'requestGuard' | 'challenges'
>;

/** Sends each request as the identity that started it, or not at all. */
export class RequestSender<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
  }

  /**
   * Sends one request. Its scope is created now, before anything is awaited.
   *
   * The promise always settles: with the response, with the server's refusal, or with the reason of the scope's signal
   * as soon as that is aborted.
   */
  send<T>(request: RequestToSend<T>): Promise<T> {
    const { epochSignal, state } = this.#parts.store;
    const refreshesBefore = this.#modules.refresh.counts.succeeded;
    const scope = createRequestScope({ ...state, refreshesBefore }, epochSignal, request.signal);
    const sent = untilAborted(scope.signal, this.#send(scope, request));
    return scope.release ? sent.finally(scope.release) : sent;
  }

  async #send<T>(scope: RequestScope, request: RequestToSend<T>): Promise<T> {
    const { recheck, restore, requestGuard, challenges } = this.#modules;
    const { store } = this.#parts;
    const { method, sendAttempt } = request;
    scope.signal.throwIfAborted();
    notifyListeners(this.#parts.beforeSending);
    recheck.onRequest();
    // Asks before each await: mostly there is nothing to wait for.
    while (store.state.status === 'restoring') await restore.ensureRestored();
    const { error: checkError } = store.state;
    if (checkError instanceof SharedSignInError) throw checkError;
    if (store.isLocked) await untilUnlocked(store, scope.signal);
    if (restore.due.isDue) await requestGuard.waitForCheck(scope);
    scope.signal.throwIfAborted();
    if (this.#startRefreshIfDue(method) === 'expired') await this.#waitForRefresh();
    for (let attempts = 1; ;) {
      try {
        return await sendAttempt(
          outgoing => requestGuard.prepare(scope, outgoing),
          response => requestGuard.verifyResponse(response),
        ).finally(() => requestGuard.finish(scope));
      } catch (error) {
        // Mostly the user has changed, and the check ends the scope.
        if (error instanceof OtherUserResponseError && (await requestGuard.recheckUser(scope, method))) continue;
        const response = responseOf(error);
        if (!response) throw error;
        const answered = challenges && (await challenges.waitForAnswer(scope, response, request.isRefused));
        if (answered) attempts = 1;
        const isSentAgain = answered ?? (await this.#handleRefusal(scope, request, response, attempts++));
        if (!isSentAgain) throw error;
        if (store.isLocked) await untilUnlocked(store, scope.signal);
        // It may have expired while the user was asked, or the CSRF cookie may be gone.
        if (this.#startRefreshIfDue(method) === 'expired') await this.#waitForRefresh();
      }
    }
  }

  /** Starts a refresh that is due. Returns `'expired'` if a request of this method has to wait for fresh credentials. */
  #startRefreshIfDue(method: string): 'valid' | 'expired' {
    const { mechanism, store } = this.#parts;
    const { refresh, refreshAhead } = this.#modules;
    if (!store.state.signedIn || mechanism.appliesTo?.(method) === false) return 'valid';
    return refresh.isAwaited ? 'expired' : refreshAhead.startIfDue();
  }

  /** Waits for fresh credentials where the current ones have expired or were refused. */
  async #waitForRefresh(): Promise<void> {
    const { refresh, refreshAhead } = this.#modules;
    await refresh.refresh().catch((error: unknown) => {
      // The refresh failed, but the current token has not expired: send it.
      if (!this.#parts.store.isLocked && !refreshAhead.isUnexpired) throw error;
    });
  }

  /**
   * Gets a fresh credential after a refusal: one that is there already, or that of a refresh. Ends the session if there is none.
   *
   * @returns true if the request is sent again, with the current credential; if the session is locked, when its user has signed in.
   * @throws the error for the caller, when the refusal ended the session or no fresh credential is available.
   */
  async #handleRefusal(
    scope: RequestScope,
    request: RequestToSend<unknown>,
    response: Response,
    attempts: number,
  ): Promise<boolean> {
    const { mechanism, store } = this.#parts;
    if (!store.owner) return false;
    const failure = await this.#classifyResponse(response, request);
    if (failure === undefined) return false;
    const { refresh, refreshOn = 'unauthorized' } = mechanism;
    // Without a refresh before the second attempt, its credential was another tab's or an SDK's, and may be as old as the first. The third
    // attempt comes after a refresh.
    const mayRefresh =
      attempts < ATTEMPTS || (attempts === ATTEMPTS && scope.refreshesAtSend === scope.refreshesBefore);
    const canRefresh = mayRefresh && refresh !== undefined && failure === refreshOn;
    if (failure === 'unauthorized') await request.onRefused?.(response, !canRefresh);
    const wasNewest = scope.credentialVersion === store.state.credentialVersion;
    await this.#modules.credential.sync();
    scope.signal.throwIfAborted();
    // The next sign-in of the locked user is a reason to send the request again.
    if (store.isLocked) return true;
    const isReplaced = scope.credentialVersion !== store.state.credentialVersion;
    const isRefreshed = mayRefresh && this.#modules.refresh.counts.succeeded > scope.refreshesAtSend;
    if (isReplaced ? isRefreshed || attempts < ATTEMPTS : canRefresh) {
      if (!isReplaced) await this.#modules.refresh.refresh(scope.failedRefreshes);
      this.#modules.recheck.requireCheck('refused');
      return true;
    }
    if (failure === 'unauthorized' && wasNewest) this.expire();
    return store.isLocked;
  }

  /**
   * Ends the session after a refusal. No effect while no user is signed in, so that many refusals end the session once.
   */
  expire(): void {
    if (this.#parts.store.state.status === 'authenticated') void this.#modules.authCalls.endSession('expired');
  }

  async #classifyResponse(response: Response, { isRefused }: RequestToSend<unknown>): Promise<AuthFailure | undefined> {
    if (isRefused && (await isRefused(response))) return 'unauthorized';
    if (isRefused && response.ok) return undefined;
    return classifyRefusal(this.#parts.mechanism, response);
  }
}
