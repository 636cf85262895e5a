import { untilAborted, withHandledRejection } from '../clock.js';
import { ChallengeCancelledError, SessionExpiredError } from '../errors.js';
import { addListener, notifyListeners } from '../notifyListeners.js';
import type { AnswerValues, OpenChallenge } from './challenge.js';
import type { AuthChallenge } from '../session/mechanism.js';
import { isSameChallenge } from './readChallenge.js';

/** Who has answered: the user on this page, with what the server said; or the user in another tab. */
export type Outcome = { readonly isElsewhere: true } | { readonly isElsewhere: false; readonly result: unknown };

/** A challenge that waits for the user. */
export interface ListedChallenge {
  readonly challenge: AuthChallenge;
  /** Waits for the answer. @throws the reason of the signal, or of the end of the challenge */
  wait(signal: AbortSignal): Promise<Outcome>;
  /** Closes it if no request waits for it and no answer is under way. */
  closeIfUnused(): void;
  close(reason: Error): void;
}

interface Entry extends ListedChallenge {
  readonly send: (values: AnswerValues, signal: AbortSignal) => Promise<unknown>;
  finish(outcome: Outcome): void;
  readonly isOpen: boolean;
  readonly hasCallers: boolean;
  /** Ends the last answer: when the challenge is closed, or the session locks. */
  answering?: AbortController;
  pending?: Promise<void> | undefined;
  error?: Error | undefined;
}

/** Why an answer is aborted that no request waits for: the user has answered in another tab. */
const ANSWERED = Symbol('answered');
const NOT_OPEN = 'No challenge is open, so the answer was not sent. Send the request again if it is still wanted.';
const NO_ERROR = 'The `answer` of stepUp() threw something that is not an Error.';

/** The open challenges of one session in their order. The first one is the user's: a dialog shows it, answers it, or cancels it. */
export function createChallengeList(isLocked: () => boolean) {
  const listeners = new Set<() => void>();
  let entries: readonly Entry[] = [];
  let snapshot: OpenChallenge | undefined;

  /** While locked, only a login can be answered: the others need the credential of its user. */
  const first = () => (isLocked() ? entries.find(({ challenge }) => challenge.isLogin) : entries[0]);

  function update(): void {
    const entry = first();
    snapshot = entry && {
      challenge: entry.challenge,
      error: entry.error,
      isPending: entry.pending !== undefined,
      answer,
      cancel,
    };
    notifyListeners(listeners);
  }

  /** @param end Aborted when the challenge is over: another identity, or a login that was superseded. */
  function open(challenge: AuthChallenge, end: AbortSignal, send: Entry['send']): ListedChallenge {
    let resolve!: (outcome: Outcome) => void;
    let reject!: (reason: Error) => void;
    const answered = new Promise<Outcome>((...settle) => ([resolve, reject] = settle));
    // It may end while no request waits for it.
    answered.catch(() => {});
    let [waiting, isOpen] = [0, true];
    const remove = (reason: unknown) => {
      isOpen = false;
      end.removeEventListener('abort', onEnd);
      entry.answering?.abort(reason);
      entries = entries.filter(other => other !== entry);
      update();
    };
    const entry: Entry = {
      challenge,
      send,
      get isOpen() {
        return isOpen;
      },
      get hasCallers() {
        return waiting > 0;
      },
      async wait(signal) {
        waiting++;
        return untilAborted(signal, answered).finally(() => waiting--);
      },
      closeIfUnused: () => waiting === 0 && !entry.pending && entry.close(new ChallengeCancelledError()),
      close(reason) {
        if (!isOpen) return;
        reject(reason);
        remove(reason);
      },
      finish(outcome) {
        resolve(outcome);
        remove(ANSWERED);
      },
    };
    const onEnd = () => entry.close(end.reason as Error);
    end.addEventListener('abort', onEnd, { once: true });
    entries = [...entries, entry];
    update();
    return entry;
  }

  const answer = (values: AnswerValues = {}): Promise<void> => {
    const entry = first();
    if (!entry) return withHandledRejection(Promise.reject(new ChallengeCancelledError(NOT_OPEN)));
    if (entry.pending) return entry.pending;
    entry.error = undefined;
    entry.pending = withHandledRejection(sendAnswer(entry, values));
    update();
    return entry.pending;
  };

  async function sendAnswer(entry: Entry, values: AnswerValues): Promise<void> {
    const { signal } = (entry.answering = new AbortController());
    try {
      const result = await untilAborted(signal, entry.send(values, signal));
      entry.pending = undefined;
      if (entry.isOpen) entry.finish({ isElsewhere: false, result });
    } catch (error) {
      entry.pending = undefined;
      if (signal.reason === ANSWERED) return;
      entry.error = error instanceof Error ? error : new Error(NO_ERROR, { cause: error });
      // Its callers have given up, so there is nothing to ask for. That of a login stays: the login itself waits for it.
      if (!entry.hasCallers && !entry.challenge.isLogin) entry.close(new ChallengeCancelledError());
      else if (entry.isOpen) update();
      throw error;
    }
  }

  const cancel = () => first()?.close(new ChallengeCancelledError());

  return {
    getSnapshot: () => snapshot,
    subscribe: (listener: () => void) => addListener(listeners, listener),
    open,
    /** An open challenge that asks for the same. That of a login is never the same: it has no user yet. */
    find: (challenge: AuthChallenge): ListedChallenge | undefined =>
      entries.find(({ challenge: known }) => !known.isLogin && isSameChallenge(known, challenge)),
    /** The user has answered in another tab: all challenges but those of a login go on. */
    finishElsewhere: () =>
      entries.filter(({ challenge }) => !challenge.isLogin).forEach(entry => entry.finish({ isElsewhere: true })),
    /** The session may have locked, or be open again. An answer of before says nothing about the next sign-in. */
    onCredential(): void {
      if (isLocked())
        for (const { challenge, answering } of entries)
          if (!challenge.isLogin) answering?.abort(new SessionExpiredError());
      if (first()?.challenge !== snapshot?.challenge) update();
    },
  };
}
