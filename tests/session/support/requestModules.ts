import type * as RequestScope from '../../../src/session/requests/requestScope.js';
import type * as SendRequest from '../../../src/session/requests/sendRequest.js';
import type * as SessionFetch from '../../../src/session/requests/sessionFetch.js';
import type * as UntilUnlocked from '../../../src/session/requests/untilUnlocked.js';

/** The modules of `session/requests` that a test may break. */
export interface RequestModules {
  'session/requests/requestScope': typeof RequestScope;
  'session/requests/sendRequest': typeof SendRequest;
  'session/requests/sessionFetch': typeof SessionFetch;
  'session/requests/untilUnlocked': typeof UntilUnlocked;
}
