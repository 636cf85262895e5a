import type { SignOutReason } from '../../session/session.js';
import type { SessionCore } from './createSession.js';
import type { Scope } from './request.js';

/** What an app may do without: step-up, lock, the session's clock, permissions. Only apps that import one load its code. */
export interface Extension {
  /** Called before each attempt of a request. An extension that ends the session here stops the request. */
  beforeSending?(scope: Scope): void;
  /** Called with each refused response. True: sent again, once for each call; false: not; undefined: the next one decides. */
  onRefusal?(response: Response, scope: Scope): Promise<boolean | undefined>;
  /** Called at the end of a sign-in, after the record of the tabs has it. `lock` keeps the screen of a user who can be recognized. */
  onEnd?(reason: SignOutReason): 'lock' | undefined;
  /** Called with the first subscriber. Returns what ends it. */
  start?(core: SessionCore): () => void;
}
