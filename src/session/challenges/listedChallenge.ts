import type { AnswerValues, AuthChallenge } from './challenge.js';
import type { WaitForUser } from './waitForUser.js';

/** Who has answered: the user on this page, with what the server said; or the user in another tab. */
export type Outcome = { readonly isElsewhere: true } | { readonly isElsewhere: false; readonly result: unknown };

/** A challenge that waits for the user. */
export interface ListedChallenge {
  readonly challenge: AuthChallenge;
  readonly waiting: WaitForUser<Outcome>;
  /** Aborted when the challenge is closed, with the error for an answer under way. */
  readonly closing: AbortController;
  readonly send: (values: AnswerValues, signal: AbortSignal) => Promise<unknown>;
  /** Ends the last answer: when the challenge is closed, or the session locks. */
  answering?: AbortController;
  pending?: Promise<void> | undefined;
  error?: Error | undefined;
}
