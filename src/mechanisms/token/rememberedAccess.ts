import type { Tabs } from '../../session/persistence.js';
import { isLaterSignIn, justBefore } from '../../session/tabs/signInId.js';
import { isPromise, type MaybePromise, type StorageAccess } from './storageAccess.js';

/** The part of a stored sign-in that decides where it is. */
export interface SignInInStorage {
  readonly subject?: string | undefined;
  readonly signInId?: string | undefined;
  readonly credential: { readonly isRemembered?: boolean | undefined };
}

/** Two storages, of which a sign-in uses one. */
export interface RememberedAccess<T> extends StorageAccess<T> {
  /** The id of the last sign-in, if this tab alone has or had it; undefined if the tabs share it. */
  readonly ownId: () => string | undefined;
}

/**
 * Two storages, of which a sign-in uses one: the one that all tabs share for a user who wants to stay signed in, else the
 * tab's own. The later sign-in counts. After a sign-in is written, or a read finds one in both, only one storage has
 * a sign-in.
 *
 * @param own The tab's own storage. Undefined: only the memory of the page.
 */
export function rememberedAccess<T extends SignInInStorage>(
  shared: StorageAccess<T>,
  own: StorageAccess<T> | undefined,
): RememberedAccess<T> {
  const isShared = ({ credential }: T) => credential.isRemembered === true;
  const inShared = (current: T | undefined) => (current && isShared(current) ? current : undefined);
  const inOwn = (current: T | undefined) => (current && !isShared(current) ? current : undefined);
  let ownId: string | undefined;
  const note = (signedIn: T | undefined) => {
    // Keep the id when the storage is empty: a tab that an expiry has locked still ignores the sign-outs of other tabs.
    if (signedIn) ownId = inOwn(signedIn)?.signInId;
    return signedIn;
  };
  const keepLater = (mine: T | undefined, theirs: T | undefined): MaybePromise<T | undefined> => {
    if (!mine || !theirs) return mine ?? theirs;
    // The tab follows the later sign-in. When that one ends, the earlier one must not come back.
    if (isLaterSignIn(mine, theirs)) return chain(shared.write(undefined), () => mine);
    return chain(own?.write(undefined), () => theirs);
  };

  return {
    ownId: () => ownId,
    read(current, limit) {
      const found = own ? own.read(inOwn(current), limit) : inOwn(current);
      const picked = chain(found, mine =>
        chain(shared.read(inShared(current), limit), theirs => keepLater(mine, theirs)),
      );
      return chain(picked, note);
    },
    write(signedIn) {
      note(signedIn);
      // Leave the shared storage alone: it may have a later sign-in of another tab.
      if (!signedIn && ownId !== undefined) return own?.write(undefined);
      const [chosen, other] = signedIn && !isShared(signedIn) ? [own, shared] : [shared, own];
      return chain(other?.write(undefined), () => chosen?.write(signedIn));
    },
    isSynchronous: shared.isSynchronous,
  };
}

/**
 * The messages of a tab that may have its own sign-in. When it gets one, it posts once that the shared sign-in has ended. Only the frames of
 * the same tab hear who its own user is. It follows a shared sign-in of another tab; a sign-out there does not end its own.
 *
 * @param frames The frames of this tab, if they share its storage.
 */
export function rememberedTabs(tabs: Tabs, ownId: () => string | undefined, frames: Tabs | undefined): Tabs {
  let postedId: string | undefined;
  return {
    ...tabs,
    listen(onMessage) {
      const stopTabs = tabs.listen((subject, endedId, reason) => {
        if (subject !== null || ownId() === undefined) onMessage(subject, endedId, reason);
      });
      const stopFrames = frames?.listen(onMessage);
      return () => {
        stopTabs();
        stopFrames?.();
      };
    },
    post(subject, endedId, reason) {
      const id = ownId();
      if (id === undefined) tabs.post(subject, endedId, reason);
      else {
        frames?.post(subject, endedId, reason);
        // The tab's own sign-in ends all earlier shared ones. The id is just before, so that the other frames of this tab do not end this sign-in.
        if (id !== postedId) tabs.post(null, justBefore(id));
      }
      postedId = id;
    },
    hasOwnSignIn: () => ownId() !== undefined,
  };
}

/** Calls `next` with the value, in the same tick if it is there already. An access never rejects. */
function chain<A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return isPromise(value) ? value.then(next) : next(value);
}
