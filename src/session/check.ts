import { untilAborted } from '../clock.js';
import { InvalidCredentialError, SessionExpiredError, RedirectRefusedError, UntrustedOriginError } from '../errors.js';
import type { SignOutReason } from './session.js';
import { activation } from './page.js';
import type { SignedIn } from './mechanism.js';
import type { Parts } from './parts.js';
import { createRetryPause } from './retryPause.js';
import { isDevelopment } from '../isDevelopment.js';
import { warnOnce } from '../warnOnce.js';

export type Check<Credential, User> = ReturnType<typeof createCheck<Credential, User>>;

interface CheckParts<C, U> extends Parts<C, U> {
  /** Whether an end for this reason keeps the screen. */
  readonly endLocks: (reason: SignOutReason) => boolean;
}

/** Finds out who is signed in: in the record of the tabs, else at the server. Once, for all who wait. */
export function createCheck<C, U>(parts: CheckParts<C, U>) {
  const { store, mechanism, record, queue, tabGate, clock, runAs, identify, inTurn, outside, endLocks, sharedError } =
    parts;
  const pause = createRetryPause(clock);
  /** The check under way. */
  let current: Promise<void> | undefined;
  let cancelled = new AbortController();
  /** What the server is asked right now, by a check that may have been cancelled. */
  let asked: Promise<SignedIn<C, U> | undefined> | undefined;
  /** Why the last check got no answer. */
  let lastFailure: Error | undefined;

  const isDue = () => store.state.status === 'restoring' || store.state.stale;

  /** Never rejects. After a failure the state has the error, or is stale still. */
  function run(): Promise<void> {
    if (current) return current;
    const started = find(cancelled.signal).finally(() => {
      if (current === started) current = undefined;
    });
    return (current = started);
  }

  async function find(signal: AbortSignal): Promise<void> {
    // Not within the call of a subscriber; in a prerendered page not before the user opens it.
    await activation();
    const { version, status } = store.state;
    const shared = sharedError();
    if (shared) return store.dispatch({ type: 'unchecked', error: (lastFailure = shared) });
    try {
      await record.sync();
      const isKnown = () => status !== 'authenticated' && store.state.status !== status;
      if (signal.aborted || store.state.version !== version || isKnown()) return;
      if (!mechanism.restore) {
        // No server can be asked, so what this page knows counts.
        if (status === 'authenticated') return store.dispatch({ type: 'known' });
        return store.dispatch({ type: 'found-no-user', reason: 'expired', position: store.state.position });
      }
      if (pause.error) throw pause.error;
      await untilAborted(
        signal,
        mechanism.loginTakesTurn ? inTurn(() => askServer(signal, isKnown)) : askServer(signal, isKnown),
      );
      lastFailure = undefined;
    } catch (error) {
      // A login, a logout or another tab knows better.
      if (signal.aborted || store.state.version !== version) return;
      if (error instanceof SessionExpiredError) return foundNoUser();
      warnOfFailedCheck(error);
      lastFailure = error instanceof InvalidCredentialError ? error : (pause.error ?? pause.start(error));
      // A listener may ask again.
      current = undefined;
      store.dispatch({ type: 'unchecked', error: lastFailure });
    }
  }

  /** @param isKnown True if another tab has found a user, so that this one does not ask. */
  async function askServer(signal: AbortSignal, isKnown: () => boolean): Promise<void> {
    // If the last subscriber leaves during the check, the page releases the lock after the answer.
    const close = tabGate?.open();
    try {
      await askUnderLock(signal, isKnown);
    } finally {
      close?.();
    }
  }

  async function askUnderLock(signal: AbortSignal, isKnown: () => boolean): Promise<void> {
    const lease = await tabGate?.hold();
    await record.sync();
    if (isKnown()) return;
    const { version } = store.state;
    const passage = tabGate?.enter(signal);
    const isOutdated = () =>
      signal.aborted || store.state.version !== version || passage?.signal.aborted || lease?.isHeld === false;
    try {
      const onAnswer = await outside.watchCheck();
      if (isOutdated()) return;
      const id = record.nextId();
      const askedAt = clock.now();
      asked = runAs('check', { signal: passage?.signal ?? queue.disposedSignal }, limit => mechanism.restore!(limit));
      // A login or logout that has called it off says nothing about the server.
      const answer = await asked.catch((error: unknown) => {
        if (!isOutdated()) throw error;
        return undefined;
      });
      const found = identify(answer);
      // What another tab has written meanwhile is later.
      await record.sync();
      if (found && !isOutdated()) await onAnswer();
      if (isOutdated()) return;
      if (!found) return foundNoUser();
      // After a sign-out, only a login signs a user in, or a check that comes after one that found no user.
      const { status, position: known } = store.state;
      const { ended } = known;
      if (tabGate && status !== 'authenticated' && (ended === 'signed-out' || ended === 'idle'))
        return tabGate.release();
      const { credential, subject, tenant, user } = found;
      const position = record.isShared ? { id, revision: 0 } : undefined;
      const signIn = { subject, tenant, user, askedAt };
      store.dispatch({ type: 'found', credential, signIn, position });
      await record.sync({ isLogin: true });
    } finally {
      asked = undefined;
      passage?.leave();
    }
  }

  function foundNoUser(): void {
    const reason = 'expired';
    const position = record.isShared ? ({ ...store.state.position, ended: reason } as const) : undefined;
    store.dispatch({ type: 'found-no-user', reason, locks: endLocks(reason), position });
    tabGate?.release();
  }

  return {
    run,
    isDue,
    foundNoUser,
    get isUnderWay(): boolean {
      return current !== undefined;
    },
    get lastFailure(): Error | undefined {
      return lastFailure;
    },
    /** The app asks for it, whatever `Retry-After` said. */
    again(): Promise<void> {
      pause.end();
      return run();
    },
    /** A login or logout knows better: a check under way counts no longer. What the server asked of the user before ends with a login. */
    cancel(isLogin = false): void {
      if (isLogin) pause.end();
      cancelled.abort();
      cancelled = new AbortController();
      current = undefined;
    },
    /** For a sign-out: whom the server is about to name. Undefined: the server is not asked. @throws what the check throws */
    take: () => asked,
    /** Resolves when it is known who is signed in. */
    async ready(): Promise<void> {
      while (store.state.status === 'restoring') await run();
    },
  };
}

/** Warns in development of a mistake because of which a check has failed: the user reads only that it has failed. */
function warnOfFailedCheck(cause: unknown): void {
  if (!isDevelopment) return;
  const isMistake = [InvalidCredentialError, RedirectRefusedError, UntrustedOriginError].some(
    mistake => cause instanceof mistake,
  );
  if (isMistake) warnOnce(`The session could not check who is signed in. ${(cause as Error).message}`);
}
