import { untilAborted } from '../clock.js';
import { IdentityChangedError, RefreshUnavailableError } from '../errors.js';
import type { AuthCalls } from './authCalls.js';
import type { CurrentCredential } from './currentCredential.js';
import type { SessionParts } from './parts.js';
import type { Recheck } from './recheck.js';
import type { Refresh } from './refresh.js';
import { createRequestScope, type RequestToSend } from './requestScope.js';
import type { RequestsOnWire } from './requestsOnWire.js';
import type { Restore } from './restore.js';
import { refreshAt } from './timers.js';
import { assertTrusted } from './trustedOrigins.js';
import type { AuthFailure, OutgoingRequest, RequestScope } from './types.js';

/** A request is sent once, and once more with fresh credentials. */
const MAX_ATTEMPTS = 2;

interface Modules<Credential, User> {
  readonly restore: Restore<Credential, User>;
  readonly recheck: Recheck<Credential, User>;
  readonly refresh: Refresh<Credential, User>;
  readonly authCalls: AuthCalls<Credential, User>;
  readonly credential: CurrentCredential<Credential, User>;
  readonly onWire: RequestsOnWire;
}

/** Sends requests as the identity that started them, or not at all. */
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
   * The promise settles whatever the server does: with the answer, with the server's refusal, or with the reason of the
   * scope's signal as soon as it is aborted.
   */
  send<T>(request: RequestToSend<T>): Promise<T> {
    const { state, epochSignal } = this.#parts.store;
    const scope = createRequestScope(state.credentialVersion, epochSignal, request.signal);
    return untilAborted(scope.signal, this.#send(scope, request)).finally(scope.release);
  }

  async #send<T>(scope: RequestScope, { method, attempt }: RequestToSend<T>): Promise<T> {
    await this.#waitUntilReady(scope, method);
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt(
          request => this.#attachCredential(scope, request),
          response => this.#verifyResponse(response),
        ).finally(() => this.#leaveWire(scope));
      } catch (error) {
        const { response } = (error ?? {}) as { response?: Response };
        if (!response || !(await this.#shouldRetry(scope, response, attempts))) throw error;
      }
    }
  }

  /** Waits until it is known who is signed in, and until a refresh that is due or under way is done. */
  async #waitUntilReady(scope: RequestScope, method: string): Promise<void> {
    const { mechanism, store, clock } = this.#parts;
    this.#modules.recheck.onRequest();
    while (store.state.status === 'restoring') await this.#modules.restore.ensureRestored();
    await this.#checkIfStale(scope);
    if (!store.state.signedIn || mechanism.appliesTo?.(method) === false) return;
    if (!this.#modules.refresh.isUnderWay && refreshAt(this.#parts) > clock.now()) return;
    await this.#modules.refresh.refresh().catch((error: unknown) => {
      const { signedIn } = store.state;
      // The early refresh failed, but the current token has not expired: send it.
      if (!signedIn || !mechanism.isUnexpired?.(signedIn.credential)) throw error;
    });
  }

  /**
   * Puts the credential on a request: read now, right before it is sent.
   *
   * @throws the reason of the scope's signal when the identity changed, UntrustedOriginError, InvalidCredentialError.
   */
  async #attachCredential(scope: RequestScope, request: OutgoingRequest): Promise<RequestInit> {
    const { mechanism, store, trustedOrigins } = this.#parts;
    const { authCalls, credential: current } = this.#modules;
    assertTrusted(request, trustedOrigins);
    if (mechanism.browserManaged && store.state.signedIn) {
      await authCalls.settled();
      // A login that takes longer than requests wait for it may replace the credential at any moment.
      if (store.state.signedIn && authCalls.hasPendingLogin) throw new RefreshUnavailableError();
    }
    await current.sync();
    await this.#checkIfStale(scope);
    const credential = store.getCredential();
    scope.credentialVersion = store.state.credentialVersion;
    const init = await mechanism.attachCredential(request, credential);
    scope.signal.throwIfAborted();
    if (mechanism.browserManaged && store.state.signedIn) this.#modules.onWire.enter(scope);
    const { signal: own } = request.init;
    const isAnother = own && own !== scope.callerSignal;
    return { ...init, signal: isAnother ? AbortSignal.any([scope.signal, own]) : scope.signal };
  }

  /**
   * Whether a refused request is sent once more, with the credential of then.
   *
   * @throws what the caller should see when the refusal ended the session, or no fresh credential can be had.
   */
  async #shouldRetry(scope: RequestScope, response: Response, attempts: number): Promise<boolean> {
    const { mechanism, store } = this.#parts;
    if (store.state.status !== 'authenticated') return false;
    const failure = await this.#classifyResponse(response);
    if (failure === undefined) return false;
    const wasNewest = scope.credentialVersion === store.state.credentialVersion;
    await this.#modules.credential.sync();
    scope.signal.throwIfAborted();
    if (attempts < MAX_ATTEMPTS && scope.credentialVersion !== store.state.credentialVersion) return true;
    const { refreshOn = 'unauthorized' } = mechanism;
    if (attempts < MAX_ATTEMPTS && mechanism.refresh && failure === refreshOn) {
      await this.#modules.refresh.refresh();
      return true;
    }
    if (failure === 'unauthorized' && wasNewest) this.expire();
    return false;
  }

  /** @throws IdentityChangedError when the server answers for another user than the one of this session. */
  #verifyResponse(response: Response): void {
    const { mechanism, store } = this.#parts;
    const answeredFor = mechanism.subjectOfResponse?.(response);
    const subject = store.state.signedIn?.subject;
    if (answeredFor === undefined || subject === undefined || answeredFor === subject) return;
    this.#modules.restore.markStale();
    void this.#modules.restore.ensureRestored();
    throw new IdentityChangedError();
  }

  /** Checks who is signed in where that is no longer certain: the cookie of now may be another user's. */
  async #checkIfStale(scope: RequestScope): Promise<void> {
    const { restore } = this.#modules;
    if (restore.isStale) await restore.ensureRestored();
    scope.signal.throwIfAborted();
    if (restore.isStale && this.#parts.store.state.signedIn) throw new RefreshUnavailableError();
  }

  /** The answer is here. A cookie that it has replaced was replaced by this page. */
  #leaveWire(scope: RequestScope): void {
    const { onWire, credential } = this.#modules;
    if (!onWire.isBusy) return;
    const leave = () => onWire.leave(scope);
    credential.sync().then(leave, leave);
  }

  /** The server refuses the identity. No effect while no user is signed in, so that many refusals end the session once. */
  expire(): void {
    if (this.#parts.store.state.status === 'authenticated') this.#modules.authCalls.endSession('expired');
  }

  async #classifyResponse(response: Response): Promise<AuthFailure | undefined> {
    const { classifyResponse } = this.#parts.mechanism;
    if (classifyResponse) return classifyResponse(response);
    return response.status === 401 ? 'unauthorized' : undefined;
  }
}
