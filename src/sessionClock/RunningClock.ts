import type { SessionCore } from '../session/extension.js';

/** Why a session ends: no activity, or an end that the server has set. */
export type EndCause = 'idle' | 'expired';

/** What a component sees of the clock. The same object until one of its fields changes. */
export interface ClockState {
  /** True from the time of the warning until the user stays, or the session ends. */
  readonly isEnding: boolean;
  /** Why the session is about to end. Undefined while `isEnding` is false. */
  readonly cause: EndCause | undefined;
  /**
   * False when `stay()` cannot help: the token ends, and the session has no way to refresh it; or the server has set the end, and no
   * answer can name a new one (a session with tokens or an SDK, without `profile`, and without the option `user`).
   */
  readonly canStay: boolean;
}

/** The clock of one session, while a provider is mounted. */
export interface RunningClock {
  /** Call when a provider is mounted. Returns the function for its end. */
  start(): () => void;
  getState(): ClockState;
  /** Milliseconds until the session ends. Undefined when no end is known, or no user is signed in. */
  getEndsIn(): number | undefined;
  subscribe(listener: () => void): () => void;
  /** Calls the listener again and again. Returns the function that stops it. */
  tick(everyMs: number, listener: () => void): () => void;
  stay(): Promise<void>;
  signOut(): Promise<void>;
}

/** Made by `sessionClock()`. Returns the same clock for the same session. */
export type SessionClock = (session: SessionCore) => RunningClock;

export const QUIET: ClockState = { isEnding: false, cause: undefined, canStay: true };
