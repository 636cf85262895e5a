import { AuthCalls } from './authCalls/authCalls.js';
import type { Challenges, StepUp } from './challenges/challenge.js';
import { CurrentCredential } from './requests/currentCredential.js';
import type { SessionParts } from './parts.js';
import { Recheck } from './restore/recheck.js';
import { Refresh } from './refresh/refresh.js';
import { RefreshAhead } from './refresh/refreshAhead.js';
import { RequestGuard } from './requests/requestGuard.js';
import { Reload } from './restore/reload.js';
import { Restore } from './restore/restore.js';
import { RequestSender } from './requests/sendRequest.js';
import { TabSync } from './tabs/tabs.js';

/** Creates all effect modules of a session. Each gets the others that it needs. */
export class SessionModules<Credential, User> {
  readonly tabs: TabSync<Credential, User>;
  readonly restore: Restore<Credential, User>;
  readonly recheck: Recheck<Credential, User>;
  readonly reload: Reload<Credential, User>;
  readonly authCalls: AuthCalls<Credential, User>;
  readonly refresh: Refresh<Credential, User>;
  readonly refreshAhead: RefreshAhead<Credential, User>;
  readonly credential: CurrentCredential<Credential, User>;
  readonly requestGuard: RequestGuard<Credential, User>;
  readonly sender: RequestSender<Credential, User>;
  /** Undefined without the option `challenge`. */
  readonly challenges: Challenges | undefined;

  constructor(parts: SessionParts<Credential, User>, stepUp?: StepUp) {
    this.tabs = new TabSync(parts);
    this.restore = new Restore(parts, this);
    this.recheck = new Recheck(parts, this);
    this.reload = new Reload(parts, this);
    this.authCalls = new AuthCalls(parts, this);
    this.refresh = new Refresh(parts, this);
    this.refreshAhead = new RefreshAhead(parts, this);
    this.credential = new CurrentCredential(parts, this);
    this.requestGuard = new RequestGuard(parts, this);
    this.sender = new RequestSender(parts, this);
    this.challenges = stepUp?.(parts, this);
  }
}
