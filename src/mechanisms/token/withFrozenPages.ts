import type { Tabs } from '../../session/persistence.js';
import { PageChannel } from '../PageChannel.js';
import { withPageLock, type LockLimit } from './pageLock.js';

/**
 * The messages of a session in the tab's session storage, which later pages of the tab change. In Firefox, a page from the back/forward
 * cache keeps the session storage of the time when it was left, even after a reload: it would show a user who has signed out since. So
 * each change is also posted to the frozen pages with this session, those of other tabs too. Firefox and Chromium drop a frozen page
 * that gets a message, and Back loads the page. WebKit passes on no message to a frozen page, which reads the storage when it is shown.
 *
 * @param tabs Undefined: the tabs share nothing, and the lock is for the sessions of this page only.
 * @param frames The frames of this tab. They get the messages if `tabs` is undefined.
 */
export function withFrozenPages(
  tabs: Tabs | undefined,
  frames: Tabs | undefined,
  storageKey: string,
  limit: LockLimit,
): Tabs {
  const channel = new PageChannel(`data-client-auth:${storageKey}:session-storage`);
  return {
    ...(tabs ?? {
      hasOwnSignIn: () => true,
      withLock: run => withPageLock(storageKey, () => run(() => {}), limit),
    }),
    listen(onMessage) {
      const stopListening = (tabs ?? frames)?.listen(onMessage);
      const close = channel.open();
      return () => {
        stopListening?.();
        close?.();
      };
    },
    post(...message) {
      channel.post({});
      (tabs ?? frames)?.post(...message);
    },
  };
}
