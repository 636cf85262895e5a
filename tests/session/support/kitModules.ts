import type * as BoundSession from '../../../src/endpoints/boundSession.js';
import type * as FetchThroughSession from '../../../src/endpoints/fetchThroughSession.js';
import type * as CookieLogin from '../../../src/session/authCalls/cookieLogin.js';
import type * as CreateSessionCore from '../../../src/session/createSessionCore.js';
import type * as PageEvents from '../../../src/session/pageEvents.js';
import type * as Refresh from '../../../src/session/refresh/refresh.js';
import type * as Recheck from '../../../src/session/restore/recheck.js';
import type * as StoredSignInModule from '../../../src/session/tabs/storedSignIn.js';
import type * as Store from '../../../src/session/store.js';
import type { RequestModules } from './requestModules.js';

/** The modules of the kit that a test may break, by their paths in src. */
export interface KitModules extends RequestModules {
  'endpoints/boundSession': typeof BoundSession;
  'endpoints/fetchThroughSession': typeof FetchThroughSession;
  'session/authCalls/cookieLogin': typeof CookieLogin;
  'session/createSessionCore': typeof CreateSessionCore;
  'session/pageEvents': typeof PageEvents;
  'session/refresh/refresh': typeof Refresh;
  'session/restore/recheck': typeof Recheck;
  'session/store': typeof Store;
  'session/tabs/storedSignIn': typeof StoredSignInModule;
}
