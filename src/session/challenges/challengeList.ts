import { untilAborted, withHandledRejection } from '../../clock.js';
import { ChallengeCancelledError, SessionExpiredError } from '../../errors.js';
import { addListener, notifyListeners } from '../../notifyListeners.js';
import type { AnswerValues, AuthChallenge, OpenChallenge } from './challenge.js';
import type { ListedChallenge, Outcome } from './listedChallenge.js';
import { isSameChallenge } from './readChallenge.js';
import { WaitForUser } from './waitForUser.js';

/** The open challenges of one session in their order. The first one is the user's: a dialog shows it, answers it, or cancels it. */
export class ChallengeList {
  readonly #isLocked: () => boolean;
  readonly #listeners = new Set<() => void>();
  #entries: readonly ListedChallenge[] = [];
  #snapshot: OpenChallenge | undefined;

  constructor(isLocked: () => boolean) {
    this.#isLocked = isLocked;
  }

  readonly getSnapshot = (): OpenChallenge | undefined => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => addListener(this.#listeners, listener);

  /** The challenge that the user can answer now. While locked, only that of a login: the others need its credential. */
  get #first(): ListedChallenge | undefined {
    return this.#isLocked() ? this.#entries.find(({ challenge }) => challenge.isLogin) : this.#entries[0];
  }

  /** Call after each change of the credential: the session may have locked, or be open again. */
  onCredential(): void {
    // An answer that was sent under the old sign-in says nothing about the next one.
    if (this.#isLocked())
      for (const { challenge, answering } of this.#entries)
        if (!challenge.isLogin) answering?.abort(new SessionExpiredError());
    if (this.#first?.challenge !== this.#snapshot?.challenge) this.#update();
  }

  /** An open challenge that asks for the same. That of a login is never the same: it has no user yet. */
  find(challenge: AuthChallenge): ListedChallenge | undefined {
    return this.#entries.find(({ challenge: open }) => !open.isLogin && isSameChallenge(open, challenge));
  }

  /** @param end Aborted when the challenge is over: another identity, or a login that was superseded. */
  open(challenge: AuthChallenge, end: AbortSignal, send: ListedChallenge['send']): ListedChallenge {
    const closing = new AbortController();
    const entry: ListedChallenge = { challenge, waiting: new WaitForUser(), closing, send };
    this.#entries = [...this.#entries, entry];
    const onEnd = () => this.close(entry, end.reason as Error);
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
  close(entry: ListedChallenge, reason: Error): void {
    if (entry.closing.signal.aborted) return;
    entry.waiting.reject(reason);
    entry.closing.abort(reason);
    this.#remove(entry);
  }

  #finish(entry: ListedChallenge, outcome: Outcome): void {
    entry.waiting.resume(outcome);
    entry.closing.abort(ANSWERED);
    this.#remove(entry);
  }

  #remove(entry: ListedChallenge): void {
    this.#entries = this.#entries.filter(other => other !== entry);
    this.#update();
  }

  /** The user has answered in another tab: all challenges but those of a login go on. */
  finishElsewhere(): void {
    for (const entry of this.#entries) if (!entry.challenge.isLogin) this.#finish(entry, { isElsewhere: true });
  }

  readonly #answerFirst = (values: AnswerValues = {}): Promise<void> => {
    const entry = this.#first;
    if (!entry) return withHandledRejection(Promise.reject(new ChallengeCancelledError(NOT_OPEN)));
    if (entry.pending) return entry.pending;
    entry.error = undefined;
    entry.pending = withHandledRejection(this.#send(entry, values));
    this.#update();
    return entry.pending;
  };

  async #send(entry: ListedChallenge, values: AnswerValues): Promise<void> {
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
      // Its callers have given up, so there is nothing to ask for. The challenge of a login stays open: the login itself waits for it.
      if (entry.waiting.size === 0 && !entry.challenge.isLogin) this.close(entry, new ChallengeCancelledError());
      else if (!closed.aborted) this.#update();
      throw error;
    }
  }

  readonly #cancel = (): void => {
    const entry = this.#first;
    if (entry) this.close(entry, new ChallengeCancelledError());
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
