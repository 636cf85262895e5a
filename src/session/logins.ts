import { untilAborted } from '../clock.js';
import { IdentityChangedError, InvalidCredentialError, LogoutUnconfirmedError } from '../errors.js';
import type { Check } from './check.js';
import { responseOf } from './errorKinds.js';
import type { Parts } from './parts.js';
import type { Send } from './extension.js';
import { isClearRefusal, NO_USER_AFTER_LOGIN, wasAccepted } from './loginOutcome.js';
import type { SignedIn } from './mechanism.js';
import { activation } from './page.js';
import type { Refresh } from './refresh.js';
import type { SignOutReason } from './session.js';
import { sharedSignInError } from './sharedOnServer.js';
import { identityOf, isSameUser, type SignIn } from './state.js';
import type { Lease, WriterTurn } from './tabGate.js';

interface LoginParts<C, U> extends Parts<C, U> {
  readonly check: Check<C, U>;
  readonly refresh: Refresh<C, U>;
  readonly server: boolean | undefined;
  /** The page does not know yet who is signed in, or is about to find out. */
  readonly isUnknown: () => boolean;
}

/** The session that a logout has left, until the server has ended it. */
interface Unended<C, U> {
  readonly credential: C | undefined;
  readonly signIn: SignIn<U> | undefined;
  readonly args: readonly unknown[];
  /** The page did not know who is signed in: the user whom the server names is signed out. */
  readonly isUnknown?: boolean | undefined;
  /** Why the server has not ended it. */
  readonly failure?: Error | undefined;
}

/** The logins and logouts of this page: one after the other, and alone in all tabs where they share a credential. */
export function createLogins<C, U>(parts: LoginParts<C, U>) {
  const { store, mechanism, queue, record, check, refresh, tabGate, hooks, server } = parts;
  const { runAs, identify, inTurn, isUnknown, end, clock } = parts;
  let unended: Unended<C, U> | undefined;
  /** Aborted when the login that runs right now counts no longer. */
  let loginEnd = new AbortController().signal;
  /** What that login sends in place of the mechanism's own request. */
  let loginSend: Send | undefined;

  /** Resolves when the storage has it: the app may leave the page then. */
  function apply(signedIn: SignedIn<C, U>): Promise<void> {
    unended = undefined;
    check.cancel(true);
    refresh.abort(new IdentityChangedError());
    const position = { id: record.nextId(), revision: 0 };
    store.dispatch({ type: 'signed-in', ...identityOf(signedIn, clock.now()), position });
    return record.sync({ isLogin: true });
  }

  /** Runs a login or logout: after the earlier ones of this page, and alone in all tabs where they share a cookie. */
  function write<T>(
    kind: 'login' | 'logout',
    act: (turn?: WriterTurn) => Promise<T>,
    { lease, signal, reason }: { lease?: Lease | undefined; signal?: AbortSignal; reason?: SignOutReason } = {},
  ): Promise<T> {
    const alone = async () => {
      // Of an idle end the other tabs hear by their clocks: they may keep their places.
      if (tabGate) return tabGate.write(reason === 'idle' ? 'login' : kind, lease, act);
      return mechanism.loginTakesTurn ? inTurn(() => act()) : act();
    };
    // A token proves whose logout it is, whatever a login on the wire brings.
    return queue.run(alone, { signal, isFree: kind === 'logout' && !tabGate && !mechanism.loginTakesTurn });
  }

  const askServer = (signal?: AbortSignal) =>
    runAs('check', { signal }, limit => mechanism.restore!(limit)).then(identify);

  /** The page knows whose cookie it has: a login or logout that starts now is about that user. */
  const knownLease = () => (store.state.status === 'authenticated' && !store.state.stale ? tabGate?.lease : undefined);

  /** Signs in. If the answer names no user, only the server knows what it did to the cookie. */
  async function signedInBy(
    enter: () => Promise<SignedIn<C, U> | undefined>,
    superseded: AbortSignal,
    known: C | undefined,
    turn?: WriterTurn,
  ): Promise<SignedIn<C, U>> {
    const signal = turn?.signal ?? queue.disposedSignal;
    let failure: Error | undefined;
    try {
      const named = identify(await runAs('login', { signal }, enter));
      if (named) return named;
    } catch (error) {
      // A change of the CSRF cookie since the call may be another user's.
      const isKnown = turn?.isSure && store.state.credential === known;
      if (isKnown && isClearRefusal(error)) store.dispatch({ type: 'known' });
      if (!turn || isClearRefusal(error)) throw error;
      failure = asError(error);
      // The sign-out that has followed would end whom this check finds: it may be another tab's user.
      if (superseded.aborted && !turn.isSure && !wasAccepted(failure)) throw failure;
    }
    const before = store.state.signIn ?? unended?.signIn;
    const found = await askServer(signal).catch((error: unknown) => {
      if (failure) throw failure;
      if (superseded.aborted) throw error;
      return askServer(signal);
    });
    if (!found) {
      check.foundNoUser();
      throw failure ?? new InvalidCredentialError(NO_USER_AFTER_LOGIN);
    }
    // The failure of a logout that the server has not confirmed, of this user or of another one.
    const mayBeOld = isSameUser(before, found) || (!before && unended?.isUnknown);
    if (!failure || wasAccepted(failure) || !mayBeOld) return found;
    store.dispatch({ type: 'known' });
    throw failure;
  }

  async function signIn(enter: () => Promise<SignedIn<C, U> | undefined>, send?: Send): Promise<U | undefined> {
    const shared = sharedSignInError(server);
    if (shared) throw shared;
    const superseded = queue.supersede();
    const lease = knownLease();
    const { credential } = store.state;
    const login = async (turn?: WriterTurn) => {
      loginEnd = superseded;
      loginSend = send;
      // The page was left, or the session disposed of, while it waited for its turn.
      superseded.throwIfAborted();
      const signedIn = await signedInBy(enter, superseded, credential, turn);
      if (superseded.aborted) return void (await endSuperseded(signedIn));
      // Its id has to be greater than every known one.
      if (record.isShared) await record.sync();
      if (superseded.aborted) return void (await endSuperseded(signedIn));
      const written = apply(signedIn);
      turn?.tell('signed-in');
      const { user } = store.getSnapshot();
      await written;
      return user;
    };
    try {
      const hidden = activation();
      if (hidden) await untilAborted(superseded, hidden);
      const user = await untilAborted(superseded, write('login', login, { lease, signal: superseded }));
      superseded.throwIfAborted();
      return user;
    } catch (error) {
      if (superseded.aborted) throw error;
      if (unended?.failure) store.dispatch({ type: 'failed', error: unended.failure });
      store.dispatch({ type: 'failed', error: asError(error) });
      throw error;
    }
  }

  /** A login that a later login or logout has superseded: the server has a session that no page uses. */
  async function endSuperseded({ credential, ...signIn }: SignedIn<C, U>): Promise<void> {
    // Of a cookie, the next writer ends it, if it is a logout.
    if (tabGate && unended) unended = { ...unended, credential, signIn };
    if (!mechanism.logout || tabGate) return;
    await runAs('logout', { credential }, () => mechanism.logout!(credential)).catch(error => {
      if (store.state.status !== 'anonymous') return;
      unended = { credential, signIn, args: [] };
      store.dispatch({ type: 'failed', error: new LogoutUnconfirmedError(error) });
    });
  }

  function signOut(reason: SignOutReason, args: readonly unknown[], claim?: () => Promise<boolean>): Promise<void> {
    const hidden = activation();
    return hidden ? hidden.then(() => signOutNow(reason, args, claim)) : signOutNow(reason, args, claim);
  }

  async function signOutNow(
    reason: SignOutReason,
    args: readonly unknown[],
    claim?: () => Promise<boolean>,
  ): Promise<void> {
    const superseded = queue.supersede();
    const { disposedSignal } = queue;
    const { status, credential, signIn } = store.state;
    const mayEndAnother = isUnknown();
    // Before the sign-out replaces it.
    const stored = mayEndAnother ? mechanism.storage?.read() : undefined;
    const lease = knownLease();
    const [checked, refreshed] = [check.take(), refresh.take()];
    if (status === 'authenticated' || status === 'locked' || mayEndAnother)
      unended = { credential, signIn, args, isUnknown: mayEndAnother };
    // A login on the wire may sign a user in.
    else if (unended || (tabGate && queue.isBusy)) unended = { credential, signIn, ...unended, args };
    // The tokens are gone from the storage when the sign-out resolves.
    const written = end(reason, undefined, stored);
    if (!unended) return written;
    if (!mechanism.logout) {
      unended = undefined;
      return written;
    }
    /** A token that the page does not know, or not yet. */
    const findCredential = async () => {
      const known = (await refreshed) ?? credential ?? (await stored)?.credential;
      if (known !== undefined || !unended?.isUnknown) return known;
      return (await (checked ?? (mechanism.restore && askServer())))?.credential;
    };
    if (claim && !(await claim())) {
      unended = undefined;
      return written;
    }
    try {
      const call = async (turn?: WriterTurn) => (tabGate ? endCookie(turn!, reason) : endToken(findCredential));
      await untilAborted(disposedSignal, write('logout', call, { lease, reason }));
    } catch (error) {
      const failed = error instanceof LogoutUnconfirmedError ? error : new LogoutUnconfirmedError(error);
      // A later login tells it, if it fails too.
      if (superseded.aborted) unended &&= { ...unended, failure: failed };
      else if (store.state.status !== 'authenticated') store.dispatch({ type: 'failed', error: failed });
      throw error;
    }
    await written;
    const { position } = store.state;
    // Whom a check finds now has signed in since. A record keeps the end, for the other tabs.
    const isOver = tabGate && position.ended === 'signed-out';
    store.dispatch({ type: 'logout-confirmed', position: isOver ? { ...position, ended: undefined } : position });
  }

  async function endToken(findCredential: () => Promise<C | undefined>): Promise<void> {
    const pending = unended;
    const credential = (await findCredential()) ?? pending?.credential;
    if (pending && credential !== undefined) {
      unended = { ...pending, credential };
      await runAs('logout', { credential }, () => mechanism.logout!(credential, ...pending.args));
    }
    unended = undefined;
  }

  /** Ends the cookie of the user who signed out, and no other user's. */
  async function endCookie({ isSure, signal, tell }: WriterTurn, reason: SignOutReason): Promise<void> {
    if (!unended?.signIn && !unended?.isUnknown) return void (unended = undefined);
    const { signIn, args } = unended;
    const send = (credential: C | undefined) =>
      runAs('logout', { credential, signal }, () => mechanism.logout!(credential, ...args));
    let isRefused = false;
    if (isSure)
      try {
        await send(unended.credential);
        return void (unended = undefined);
      } catch (error) {
        const response = responseOf(error);
        // With the CSRF token of the user who signs out: the cookie may be another user's.
        if (!response || (await mechanism.classify?.(response)) !== 'csrf-rejected') throw error;
        isRefused = true;
      }
    let found = await askServer(signal);
    const isTheirs = found && (!signIn || isSameUser(signIn, found));
    // Locked pages of the user end, too.
    if (reason === 'signed-out' && (!found || isTheirs)) tell(reason);
    if (found && isTheirs) {
      unended &&= { ...unended, ...identityOf(found) };
      const { refresh } = mechanism;
      if (isRefused && refresh) found = await runAs('refresh', { signal }, limit => refresh(found!, limit));
      await send(found.credential);
    }
    unended = undefined;
  }

  /** Sends what a login sends, and whatever an extension wants then. */
  function sendLogin(send: Send, run: (send: Send) => Promise<unknown>): Promise<unknown> {
    const own = loginSend;
    const first = own ? () => run(own) : send;
    const hook = hooks.find(({ onLogin }) => onLogin);
    return hook?.onLogin ? hook.onLogin(first, run, loginEnd) : first();
  }

  return {
    signIn,
    signOut,
    sendLogin,
    /** True until the server has confirmed the last logout. */
    get isEnding(): boolean {
      return unended !== undefined;
    },
    /** Nothing is left that a logout could end. */
    forget: () => void (unended = undefined),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('A login threw something that is not an Error.', { cause: error });
}
