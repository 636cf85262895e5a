import { SessionExpiredError, SignedOutError } from '../../errors.js';
import { untilAborted } from '../../clock.js';
import type { SessionModules } from '../modules.js';
import { untilUnlocked } from '../requests/untilUnlocked.js';
import type { SessionParts } from '../parts.js';
import type { Restore } from './restore.js';
import { withTabLock } from '../tabs/tabLock.js';

const NO_PROFILE = 'This session has no endpoint that describes its user: give it the option `profile`.';

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'restore' | 'refresh' | 'tabs' | 'challenges'>;

/** Asks the server again about the current user, once for all callers of one time. */
export class Reload<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  #latest: { readonly promise: Promise<User>; readonly epochSignal: AbortSignal } | undefined;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
  }

  /** See `Session.reload`. */
  reload(): Promise<User> {
    const { epochSignal } = this.#parts.store;
    if (this.#latest?.epochSignal === epochSignal) return this.#latest.promise;
    const promise = untilAborted(epochSignal, this.#run(epochSignal)).finally(() => {
      if (this.#latest === started) this.#latest = undefined;
    });
    const started = { promise, epochSignal };
    this.#latest = started;
    return promise;
  }

  async #run(epochSignal: AbortSignal): Promise<User> {
    const { mechanism, store } = this.#parts;
    const { restore } = this.#modules;
    await untilUnlocked(store, epochSignal);
    if (mechanism.profile) {
      await restore.ready();
      if (store.state.signedIn) await this.#askInTime(epochSignal);
    } else if (!mechanism.browserManaged || !mechanism.restore) {
      throw new TypeError(NO_PROFILE);
    } else if (store.state.status !== 'anonymous') {
      await confirmUser(restore, epochSignal);
      await untilUnlocked(store, epochSignal);
    }
    if (store.state.signedIn) return store.getSnapshot().user!;
    throw new SignedOutError('No user is signed in, so there is no user to load. Sign in, then load the user again.');
  }

  /** @throws a `TimeoutError` when the server does not answer in time. A user who is asked to sign in, or for more, may take longer. */
  async #askInTime(epochSignal: AbortSignal): Promise<void> {
    const { store, withDeadline } = this.#parts;
    const waitsForUser = () => store.isLocked || this.#modules.challenges?.getSnapshot() !== undefined;
    const asked = this.#askProfile(epochSignal);
    const state = { isSettled: false };
    const settle = () => void (state.isSettled = true);
    asked.then(settle, settle);
    for (;;) {
      try {
        return await withDeadline(asked, epochSignal);
      } catch (error) {
        if (state.isSettled || epochSignal.aborted || !waitsForUser()) throw error;
      }
    }
  }

  async #askProfile(epochSignal: AbortSignal): Promise<void> {
    const { mechanism, store, userClass } = this.#parts;
    const { refresh, tabs } = this.#modules;
    const askedAt = Date.now();
    try {
      const user = await mechanism.profile!(store.state.signedIn!, epochSignal);
      // A refresh may bring the user as well. Write after it, so that the user that the app has just asked for stays.
      await refresh.settled();
      const before = store.state.signedIn;
      if (epochSignal.aborted || !before) return;
      // An equal answer changes no snapshot. For a record it is news all the same: the record may have changed since.
      if (!userClass && JSON.stringify(before.user) === JSON.stringify(user)) return;
      const signedIn = { ...before, user, askedAt };
      store.dispatch({ type: 'credential-replaced', signedIn });
      if (mechanism.save)
        void withTabLock(this.#parts, () => tabs.writes.storeRefreshed(before, signedIn)).catch(() => {});
    } catch (error) {
      if (error instanceof SessionExpiredError && !epochSignal.aborted) void tabs.endSignIn('expired');
      throw error;
    }
  }
}

/**
 * Checks at the server who the current user is, whatever `Retry-After` said.
 *
 * @param epochSignal Aborted when another user is found, or none.
 * @throws the error because of which the check failed.
 */
async function confirmUser(
  restore: Pick<Restore<unknown, unknown>, 'tryAgain'>,
  epochSignal: AbortSignal,
): Promise<void> {
  let found: Awaited<ReturnType<typeof restore.tryAgain>>;
  // A check that was cancelled says nothing.
  while (!found && !epochSignal.aborted) found = await restore.tryAgain();
  if (found?.error) throw found.error;
}
