// The old spelling of the lock, `onExpiry={lock()}`, over the extension. It leaves with the old core.
import { LockScreen } from '../../../src/lock/LockScreen.js';
import { lock as extension } from '../../../src/next/lock/lock.js';
import type { LockOptions } from '../../../src/lock/lock.js';
import type { SessionCore } from '../../../src/next/session/createSession.js';
import type { Extension } from '../../../src/next/session/extension.js';

interface Kept {
  count: number;
  readonly end: () => void;
}

const kept = new WeakMap<SessionCore, Kept>();

/** Adds the lock once, at once, and keeps it as long as anybody wants it. */
export function keepLocked(session: SessionCore, extension: Extension, onUnused = () => {}): () => void {
  let lock = kept.get(session);
  if (!lock) {
    let stop: (() => void) | undefined;
    const remove = session.use(core => {
      const { start, ...hooks } = extension(core);
      stop = start?.();
      return hooks;
    });
    kept.set(session, (lock = { count: 0, end: () => (remove(), stop?.()) }));
  }
  lock.count++;
  return () => {
    lock.count--;
    queueMicrotask(() => {
      if (lock.count > 0 || kept.get(session) !== lock) return;
      kept.delete(session);
      lock.end();
      onUnused();
    });
  };
}

export const lock = (options?: LockOptions) => ({
  attach: (session: SessionCore) =>
    keepLocked(session, extension(options), () => {
      const { status, reason = 'expired' } = session.getSnapshot();
      if (status === 'locked') session.leave(reason);
    }),
  Screen: LockScreen,
});
