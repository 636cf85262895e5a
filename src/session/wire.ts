import { IdentityChangedError, RefreshUnavailableError } from '../errors.js';
import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';
import { assertTrusted } from './trustedOrigins.js';
import type { OutgoingRequest } from './outgoingRequest.js';
import type { RequestScope } from './requestScope.js';

/** The last steps before a request is sent, and the first ones after its answer is here. */
export class Wire<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'restore' | 'authCalls' | 'credential'>;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Pick<SessionModules<Credential, User>, 'restore' | 'authCalls' | 'credential'>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
  }

  /**
   * Puts the credential on a request: read now, right before it is sent.
   *
   * @throws the reason of the scope's signal when the identity changed, UntrustedOriginError, InvalidCredentialError.
   */
  async enter(scope: RequestScope, request: OutgoingRequest): Promise<RequestInit> {
    const { mechanism, store, trustedOrigins, onWire } = this.#parts;
    assertTrusted(request, trustedOrigins);
    let init: RequestInit;
    do {
      await this.#waitForAuthCalls();
      await this.#modules.credential.sync();
      await this.checkIfStale(scope);
      const credential = store.getCredential();
      scope.credentialVersion = store.state.credentialVersion;
      init = await mechanism.attachCredential(request, credential);
      scope.signal.throwIfAborted();
      // A login that was started in the meantime does not wait for this request: it does not know of it yet.
    } while (this.#sharesCookie() && (this.#modules.authCalls.isUnderWay || this.#modules.restore.isStale));
    if (this.#sharesCookie()) onWire.enter(scope);
    const { signal: own } = request.init;
    const isAnother = own && own !== scope.callerSignal;
    return { ...init, signal: isAnother ? AbortSignal.any([scope.signal, own]) : scope.signal };
  }

  /** The answer is here. A cookie that it has replaced was replaced by this page. */
  leave(scope: RequestScope): void {
    const { onWire } = this.#parts;
    if (!onWire.isBusy) return;
    const leave = () => onWire.leave(scope);
    this.#modules.credential.sync().then(leave, leave);
  }

  /** @throws IdentityChangedError when the server answers for another user than the one of this session. */
  verifyResponse(response: Response): void {
    const { mechanism, store } = this.#parts;
    const answeredFor = mechanism.subjectOfResponse?.(response);
    const subject = store.state.signedIn?.subject;
    if (answeredFor === undefined || subject === undefined || answeredFor === subject) return;
    this.#modules.restore.markStale();
    void this.#modules.restore.ensureRestored();
    throw new IdentityChangedError();
  }

  /**
   * Checks who is signed in where that is no longer certain: the cookie of now may be another user's.
   *
   * @throws RefreshUnavailableError when that cannot be checked now.
   */
  async checkIfStale(scope: RequestScope): Promise<void> {
    const { restore, credential } = this.#modules;
    if (restore.isStale) {
      // The cookie may have been replaced after the check under way was sent.
      await credential.sync();
      // A newer check may replace the one that this request waits for.
      do await restore.ensureRestored();
      while (restore.isUnderWay && !scope.signal.aborted);
    }
    scope.signal.throwIfAborted();
    if (restore.isStale && this.#parts.store.state.signedIn) throw new RefreshUnavailableError();
  }

  /** @throws RefreshUnavailableError while a login takes longer than requests wait for it: it may replace the cookie at any moment. */
  async #waitForAuthCalls(): Promise<void> {
    const { authCalls } = this.#modules;
    if (!this.#sharesCookie()) return;
    await authCalls.settled();
    if (this.#sharesCookie() && authCalls.isLoginOverdue) throw new RefreshUnavailableError();
  }

  /** Whether a request of now goes with the cookie that a login would replace. */
  #sharesCookie(): boolean {
    const { mechanism, store } = this.#parts;
    return mechanism.browserManaged === true && store.state.signedIn !== undefined;
  }
}
