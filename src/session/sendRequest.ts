import { untilAborted } from '../clock.js';
import { RefreshUnavailableError } from '../errors.js';
import type { AuthCalls } from './authCalls.js';
import type { CurrentCredential } from './currentCredential.js';
import type { SessionParts } from './parts.js';
import type { Refresh } from './refresh.js';
import { createRequestScope } from './requestScope.js';
import type { Restore } from './restore.js';
import { refreshAt } from './timers.js';
import type { AuthFailure, OutgoingRequest, RequestScope } from './types.js';

/** A request is sent once, and once more with fresh credentials. */
const MAX_ATTEMPTS = 2;

/** One request of a caller, as the session sees it. */
export interface RequestToSend<T> {
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  readonly method: string;
  /**
   * Builds the request from the caller's arguments, sends it once and resolves with the answer. `attachCredential` puts the
   * credential on it, right before it is sent. Rejects with an error that has the `response` when the server refuses.
   */
  attempt(attachCredential: (request: OutgoingRequest) => Promise<RequestInit>): Promise<T>;
}

/** Sends requests as the identity that started them, or not at all. */
export class RequestSender<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #restore: Restore<Credential, User>;
  readonly #refresh: Refresh<Credential, User>;
  readonly #authCalls: AuthCalls<Credential, User>;
  readonly #credential: CurrentCredential<Credential, User>;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: {
      restore: Restore<Credential, User>;
      refresh: Refresh<Credential, User>;
      authCalls: AuthCalls<Credential, User>;
      credential: CurrentCredential<Credential, User>;
    },
  ) {
    this.#parts = parts;
    this.#restore = modules.restore;
    this.#refresh = modules.refresh;
    this.#authCalls = modules.authCalls;
    this.#credential = modules.credential;
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
        return await attempt(request => this.#attachCredential(scope, request));
      } catch (error) {
        const { response } = (error ?? {}) as { response?: Response };
        if (!response || !(await this.#shouldRetry(scope, response, attempts))) throw error;
      }
    }
  }

  /** Waits until it is known who is signed in, and until a refresh that is due or under way is done. */
  async #waitUntilReady(scope: RequestScope, method: string): Promise<void> {
    const { mechanism, store, clock } = this.#parts;
    while (store.state.status === 'restoring') await this.#restore.ensureRestored();
    scope.signal.throwIfAborted();
    if (!store.state.signedIn || mechanism.appliesTo?.(method) === false) return;
    if (!this.#refresh.isUnderWay && refreshAt(this.#parts) > clock.now()) return;
    await this.#refresh.refresh().catch((error: unknown) => {
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
    const { mechanism, store } = this.#parts;
    if (mechanism.browserManaged && store.state.signedIn) {
      await this.#authCalls.settled();
      // A login that takes longer than requests wait for it may replace the credential at any moment.
      if (store.state.signedIn && this.#authCalls.hasPendingLogin) throw new RefreshUnavailableError();
    }
    const credential = await this.#credential.sync();
    scope.signal.throwIfAborted();
    scope.credentialVersion = store.state.credentialVersion;
    const init = await mechanism.attachCredential(request, credential);
    scope.signal.throwIfAborted();
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
    await this.#credential.sync();
    scope.signal.throwIfAborted();
    if (attempts < MAX_ATTEMPTS && scope.credentialVersion !== store.state.credentialVersion) return true;
    const { refreshOn = 'unauthorized' } = mechanism;
    if (attempts < MAX_ATTEMPTS && mechanism.refresh && failure === refreshOn) {
      await this.#refresh.refresh();
      return true;
    }
    if (failure === 'unauthorized' && wasNewest) this.expire();
    return false;
  }

  /** The server refuses the identity. No effect while no user is signed in, so that many refusals end the session once. */
  expire(): void {
    if (this.#parts.store.state.status === 'authenticated') this.#authCalls.endSession('expired');
  }

  async #classifyResponse(response: Response): Promise<AuthFailure | undefined> {
    const { classifyResponse } = this.#parts.mechanism;
    if (classifyResponse) return classifyResponse(response);
    return response.status === 401 ? 'unauthorized' : undefined;
  }
}
