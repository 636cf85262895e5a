import type { SignOutReason } from '../../session/session.js';
import type { SessionCore } from './createSession.js';
import type { Scope } from './request.js';

/**
 * What an app may do without: step-up, lock, the session's clock, the user as a record. Only apps that import one load its code.
 * Called when the session is made, so that each session has its own.
 */
export type Extension = (session: SessionCore) => Hooks;

export interface Hooks {
  /** Called before a request waits at the gate, and, without a scope, before a check. An extension that ends the session here stops it. */
  beforeSending?(scope?: Scope): void;
  /** Called with each refused response. True: sent again; false: not; undefined: the next one decides. */
  onRefusal?(response: Response, scope: Scope): Promise<boolean | undefined>;
  /** Called at the end of a sign-in, after the record of the tabs has it. `lock` keeps the screen of a user who can be recognized. */
  onEnd?(reason: SignOutReason): 'lock' | undefined;
  /** Called with the first subscriber. Returns what ends it. */
  start?(): () => void;
  /**
   * Sends a login, and returns what the server answers in the end: a server may want a second factor.
   *
   * @param send Sends the first request. Its own result is the answer where nothing else is wanted.
   * @param run Sends a further one as a part of this login.
   * @param signal Aborted when a later login or logout wins.
   */
  onLogin?(send: Send, run: (send: Send) => Promise<unknown>, signal: AbortSignal): Promise<unknown>;
}

export type Send = () => Promise<unknown>;
