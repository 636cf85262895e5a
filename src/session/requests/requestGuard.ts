import { OtherUserResponseError, RefreshUnavailableError } from '../../errors.js';
import { notifyListeners } from '../../notifyListeners.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import { assertTrusted } from './trustedOrigins.js';
import { isSafeMethod } from './isSafeMethod.js';
import type { OutgoingRequest } from './outgoingRequest.js';
import { untilUnlocked } from './untilUnlocked.js';
import type { RequestScope } from './requestScope.js';

type Modules<Credential, User> = Pick<
  SessionModules<Credential, User>,
  'restore' | 'authCalls' | 'credential' | 'refresh'
>;

/** The last steps before a request is sent, and the first steps after its response. */
export class RequestGuard<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
  }

  /**
   * Checks the origin and puts the current credential on a request, right before it is sent.
   *
   * @throws the reason of the scope's signal when the identity changed, UntrustedOriginError,
   * InvalidCredentialError, RefreshUnavailableError.
   */
  async prepare(scope: RequestScope, request: OutgoingRequest): Promise<RequestInit> {
    const { mechanism, store, trustedOrigins, onWire } = this.#parts;
    const { authCalls, restore, refresh } = this.#modules;
    assertTrusted(request, trustedOrigins);
    notifyListeners(this.#parts.beforeSending);
    let init: RequestInit | undefined;
    do {
      // Asks before each await: mostly there is nothing to wait for.
      if (store.isLocked) await untilUnlocked(store, scope.signal);
      if (this.#sharesCookie()) await this.#waitForAuthCalls();
      if (mechanism.readCredential) await this.#modules.credential.sync();
      if (restore.due.isDue) await this.waitForCheck(scope);
      scope.signal.throwIfAborted();
      if (store.isLocked) continue;
      const credential = store.getCredential();
      scope.credentialVersion = store.state.credentialVersion;
      scope.refreshesAtSend = refresh.counts.succeeded;
      scope.failedRefreshes = refresh.counts.failed;
      init = await mechanism.attachCredential(request, credential);
      scope.signal.throwIfAborted();
      // This request is not registered yet, so a new login would not wait for it. Try again.
    } while (store.isLocked || (this.#sharesCookie() && (authCalls.isUnderWay || restore.due.isDue)));
    if (this.#sharesCookie()) onWire.enter(scope);
    const { signal: own } = request.init;
    const isAnother = own && own !== scope.callerSignal;
    const signal = scope.abort ? scope.signal : store.wireSignal;
    return { ...init, signal: isAnother ? AbortSignal.any([signal, own]) : signal };
  }

  /** Call after each attempt. Reads the cookie first, so that a change counts as made by this page. */
  finish(scope: RequestScope): void {
    const { onWire } = this.#parts;
    if (!onWire.isBusy) return;
    const leave = () => onWire.leave(scope);
    this.#modules.credential.sync().then(leave, leave);
  }

  /** @throws OtherUserResponseError when the response names another user than the current one. Starts a check, which says whether that is still so. */
  verifyResponse(response: Response): void {
    const { mechanism, store } = this.#parts;
    mechanism.onResponse?.(response);
    const namedSubject = mechanism.subjectOfResponse?.(response);
    const subject = store.owner?.subject;
    if (namedSubject === undefined || subject === undefined || namedSubject === subject) return;
    this.#modules.restore.due.mark('stale');
    void this.#modules.restore.ensureRestored();
    throw new OtherUserResponseError();
  }

  /**
   * Waits for the check for an existing session that is due: the current cookie may be another user's.
   *
   * @throws the reason of the scope's signal, RefreshUnavailableError when the check fails.
   */
  async waitForCheck(scope: Pick<RequestScope, 'signal'>): Promise<void> {
    const { restore, credential } = this.#modules;
    // The cookie may have been replaced after the check under way was sent.
    await credential.sync();
    // A newer check may replace the one that this request waits for.
    do await restore.ensureRestored();
    while (restore.isUnderWay && !scope.signal.aborted);
    scope.signal.throwIfAborted();
    if (restore.due.isDue && this.#parts.store.state.signedIn) throw new RefreshUnavailableError();
  }

  /**
   * Call after an answer for another user: waits for the check that it has started. If that has locked the session, waits for the user.
   *
   * @returns true if the request is sent again. One that changes something is not: it may have changed it already.
   */
  async recheckUser(scope: RequestScope, method: string): Promise<boolean> {
    await this.waitForCheck(scope);
    if (!this.#parts.store.isLocked || !isSafeMethod(method)) return false;
    await untilUnlocked(this.#parts.store, scope.signal);
    return true;
  }

  /** @throws RefreshUnavailableError while a login takes longer than requests wait for it. */
  async #waitForAuthCalls(): Promise<void> {
    const { authCalls } = this.#modules;
    await authCalls.settled();
    if (this.#sharesCookie()) authCalls.assertNoOverdueLogin();
  }

  /** True if a request that is sent now carries a cookie that a login would replace. */
  #sharesCookie(): boolean {
    const { mechanism, store } = this.#parts;
    return mechanism.browserManaged === true && store.state.signedIn !== undefined;
  }
}
