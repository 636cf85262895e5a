import type { Clock } from '../../clock.js';
import type { Mechanism } from '../../session/mechanism.js';
import { isServer } from '../../session/sharedOnServer.js';
import type { SignedIn } from '../../session/signedIn.js';
import { createTabs, DEFAULT_NAME, type TabsOptions } from '../createTabs.js';
import { FrameChannel } from '../FrameChannel.js';
import { rememberedTabs } from './rememberedAccess.js';
import { parseStoredSession, type TokenCredential } from './tokenResponse.js';
import { tokenStorage, type TokenStorageOptions } from './tokenStorage.js';
import { withFrozenPages } from './withFrozenPages.js';

/** The storage of a token session, and its connection to other tabs. */
export function tokenPersistence<User>(
  options: TokenStorageOptions & TabsOptions,
  timeoutMs: number,
  clock: Clock,
): Pick<Mechanism<TokenCredential, User>, 'load' | 'save' | 'savesAtOnce' | 'tabs' | 'tabsName'> {
  const { storage = 'memory', storageKey = DEFAULT_NAME } = options;
  const { tabs: name = storage !== 'memory' && storage !== 'session' && storageKey } = options;
  const tabsName = name || undefined;
  const tabs = createTabs(name, clock, timeoutMs);
  const store = tokenStorage<SignedIn<TokenCredential, User>>(options, parseStoredSession, clock, timeoutMs);
  if (!store) return { tabs, tabsName };
  const { ownId, ...signInStorage } = store;
  const isInSessionStorage = usesSessionStorage(storage) && !isServer();
  const hasFrames = isInSessionStorage && options.tabs !== false;
  const channel = new FrameChannel(`data-client-auth:${storageKey}:frames`);
  const frames = createTabs(hasFrames && storageKey, clock, timeoutMs, channel);
  const shared = tabs && ownId ? rememberedTabs(tabs, ownId, frames) : tabs;
  return {
    tabs: isInSessionStorage ? withFrozenPages(shared, frames, storageKey, { clock, timeoutMs }) : shared,
    tabsName,
    ...signInStorage,
  };
}

function usesSessionStorage(storage: TokenStorageOptions['storage']): boolean {
  const own = typeof storage === 'object' && 'otherwise' in storage ? storage.otherwise : storage;
  return own === 'session';
}
