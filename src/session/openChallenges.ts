import { ChallengeCancelledError, SessionExpiredError } from '../errors.js';
import { notifyListeners } from '../notifyListeners.js';
import type { AnswerValues, AuthChallenge, Challenges, LoginWithChallenges, OpenChallenge } from './challenge.js';
import { ChallengeAnswer } from './challengeAnswer.js';
import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';
import { isSameChallenge, readChallenge } from './readChallenge.js';
import type { RequestScope } from './requestScope.js';
import type { StepUpOptions } from './stepUp.js';
import { untilAborted } from '../clock.js';
import { untilUnlocked } from './untilUnlocked.js';
import { WaitForUser } from './waitForUser.js';

/** Who has answered: the user on this page, with what the server said; or the user in another tab. */
type Outcome = { readonly isElsewhere: true } | { readonly isElsewhere: false; readonly result: unknown };

/** A challenge that waits for the user. */
interface Entry {
  readonly challenge: AuthChallenge;
  readonly waiting: WaitForUser<Outcome>;
  /** Aborted when the challenge is closed, with the error for an answer under way. */
  readonly closing: AbortController;
  readonly send: (values: AnswerValues, signal: AbortSignal) => Promise<unknown>;
  /** Ends the last answer: when the challenge is closed, or the session locks. */
  answering: AbortController | undefined;
  pending: Promise<void> | undefined;
  error: Error | undefined;
}

/** The challenges of one session: the first one is the user's, the others come after it. */
export class OpenChallenges<Credential, User> implements Challenges {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: SessionModules<Credential, User>;
  readonly #options: StepUpOptions;
  readonly #answer: ChallengeAnswer<Credential, User>;
  readonly #listeners = new Set<() => void>();
  /** The requests that were sent again after an answer of this page. */
  readonly #asked = new WeakSet<RequestScope>();
  #entries: readonly Entry[] = [];
  #snapshot: OpenChallenge | undefined;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: SessionModules<Credential, User>,
    options: StepUpOptions,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#options = options;
    this.#answer = new ChallengeAnswer(parts, modules, options.answer, () => this.#onAnsweredElsewhere());
    parts.store.subscribeToCredential(() => this.#onCredential());
  }

  #onCredential(): void {
    // An answer that was sent under the old sign-in says nothing about the next one.
    if (this.#isLocked)
      for (const { challenge, answering } of this.#entries)
        if (!challenge.isLogin) answering?.abort(new SessionExpiredError());
    if (this.#first?.challenge !== this.#snapshot?.challenge) this.#update();
  }

  get #isLocked(): boolean {
    return this.#parts.store.state.status === 'locked';
  }

  /** The challenge that the user can answer now. While locked, only that of a login: the others need its credential. */
  get #first(): Entry | undefined {
    return this.#isLocked ? this.#entries.find(({ challenge }) => challenge.isLogin) : this.#entries[0];
  }

  get isAnsweredBySdk(): boolean {
    return !this.#options.answer;
  }

  readonly getSnapshot = (): OpenChallenge | undefined => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  };

  async waitForAnswer(scope: RequestScope, response: Response): Promise<boolean | undefined> {
    const { store } = this.#parts;
    if (store.state.status !== 'authenticated' && !this.#isLocked) return undefined;
    const challenge = await readChallenge(response, this.#options);
    scope.signal.throwIfAborted();
    if (!challenge) return undefined;
    if (this.#isLocked) {
      // The sign-in that unlocks the session may be what the server wants.
      await untilUnlocked(store, scope.signal);
      return true;
    }
    // The user has answered since the request was sent.
    if (scope.credentialVersion < this.#answer.credentialVersion) return true;
    if (this.#asked.has(scope)) return false;
    const entry = this.#join(challenge);
    try {
      const { isElsewhere } = await entry.waiting.wait(scope.signal);
      // The other tab may have answered another challenge, so this page may have to ask once more.
      if (!isElsewhere) this.#asked.add(scope);
      return true;
    } finally {
      // Its callers have given up, so there is nothing to ask for.
      if (entry.waiting.size === 0 && !entry.pending) this.#close(entry, new ChallengeCancelledError());
    }
  }

  startLogin(): LoginWithChallenges {
    const superseded = this.#modules.authCalls.loginSignal;
    return async (login, run) => {
      let { result, challenge } = await this.#sendFirstFactor(login);
      while (challenge) {
        result = await this.#askInLogin(challenge, superseded, run);
        challenge = this.#options.readLoginResult?.(result);
      }
      return result;
    };
  }

  async #sendFirstFactor(
    login: () => Promise<unknown>,
  ): Promise<{ result?: unknown; challenge?: AuthChallenge | undefined }> {
    try {
      const result = await login();
      return { result, challenge: this.#options.readLoginResult?.(result) };
    } catch (error) {
      const { response } = (error ?? {}) as { response?: Response };
      const challenge = response && (await readChallenge(response, this.#options));
      if (!challenge) throw error;
      return { challenge };
    }
  }

  async #askInLogin(
    challenge: AuthChallenge,
    superseded: AbortSignal,
    run: Parameters<LoginWithChallenges>[1],
  ): Promise<unknown> {
    superseded.throwIfAborted();
    const asked = { ...challenge, isLogin: true };
    const send = (values: AnswerValues, signal: AbortSignal) => this.#answer.sendInLogin(values, asked, signal, run);
    const outcome = await this.#open(asked, superseded, send).waiting.wait(superseded);
    return outcome.isElsewhere ? undefined : outcome.result;
  }

  #join(challenge: AuthChallenge): Entry {
    const joined = this.#entries.find(({ challenge: open }) => !open.isLogin && isSameChallenge(open, challenge));
    const { epochSignal } = this.#parts.store;
    const send = (values: AnswerValues, signal: AbortSignal) => this.#answer.send(values, challenge, signal);
    return joined ?? this.#open(challenge, epochSignal, send);
  }

  /** @param end Aborted when the challenge is over: another identity, or a login that was superseded. */
  #open(challenge: AuthChallenge, end: AbortSignal, send: Entry['send']): Entry {
    const closing = new AbortController();
    const waiting = new WaitForUser<Outcome>();
    const entry: Entry = {
      challenge,
      waiting,
      closing,
      send,
      answering: undefined,
      pending: undefined,
      error: undefined,
    };
    this.#entries = [...this.#entries, entry];
    const onEnd = () => this.#close(entry, end.reason as Error);
    const onClosed = () => {
      end.removeEventListener('abort', onEnd);
      entry.answering?.abort(closing.signal.reason);
    };
    end.addEventListener('abort', onEnd, { once: true });
    closing.signal.addEventListener('abort', onClosed, { once: true });
    this.#update();
    return entry;
  }

  /** Closes a challenge that was not answered. No effect on one that is closed. */
  #close(entry: Entry, reason: Error): void {
    if (entry.closing.signal.aborted) return;
    entry.waiting.reject(reason);
    entry.closing.abort(reason);
    this.#remove(entry);
  }

  #finish(entry: Entry, outcome: Outcome): void {
    entry.waiting.resume(outcome);
    entry.closing.abort(ANSWERED);
    this.#remove(entry);
  }

  #remove(entry: Entry): void {
    this.#entries = this.#entries.filter(other => other !== entry);
    this.#update();
  }

  readonly #onAnsweredElsewhere = (): void => {
    for (const entry of this.#entries) if (!entry.challenge.isLogin) this.#finish(entry, { isElsewhere: true });
  };

  readonly #answerFirst = (values: AnswerValues = {}): Promise<void> => {
    const entry = this.#first;
    if (!entry) return handled(Promise.reject(new ChallengeCancelledError(NOT_OPEN)));
    if (entry.pending) return entry.pending;
    entry.error = undefined;
    entry.pending = handled(this.#send(entry, values));
    this.#update();
    return entry.pending;
  };

  async #send(entry: Entry, values: AnswerValues): Promise<void> {
    const { signal: closed } = entry.closing;
    const { signal } = (entry.answering = new AbortController());
    try {
      const result = await untilAborted(signal, entry.send(values, signal));
      entry.pending = undefined;
      this.#finish(entry, { isElsewhere: false, result });
    } catch (error) {
      entry.pending = undefined;
      // Answered in another tab while this answer was under way.
      if (closed.reason === ANSWERED) return;
      entry.error = error instanceof Error ? error : new Error(NO_ERROR, { cause: error });
      if (!closed.aborted) this.#update();
      throw error;
    }
  }

  readonly #cancel = (): void => {
    const entry = this.#first;
    if (entry) this.#close(entry, new ChallengeCancelledError());
  };

  #update(): void {
    const entry = this.#first;
    this.#snapshot = entry && {
      challenge: entry.challenge,
      error: entry.error,
      isPending: entry.pending !== undefined,
      answer: this.#answerFirst,
      cancel: this.#cancel,
    };
    notifyListeners(this.#listeners);
  }
}

/** Closes a challenge that was answered. */
const ANSWERED = Symbol('answered');
const NOT_OPEN = 'No challenge is open, so the answer was not sent. Send the request again if it is still wanted.';
const NO_ERROR = 'The `answer` of stepUp() threw something that is not an Error.';

/** A caller may ignore the promise: the error is in the snapshot. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
