import { timeoutError, withTimeout } from '../clock.js';
import { RefreshUnavailableError, SessionExpiredError } from '../errors.js';
import { keepIfEqual } from '../keepIfEqual.js';
import { linkSignals } from './linkSignals.js';
import { activation } from './page.js';
import type { SignedIn } from './mechanism.js';
import type { Parts } from './parts.js';
import { createRetryPause } from './retryPause.js';

/** The shortest time between two refreshes of a credential that is still good, in milliseconds. */
const EARLY_INTERVAL_MS = 30_000;

export type Refresh<Credential, User> = ReturnType<typeof createRefresh<Credential, User>>;

interface RefreshParts<C, U> extends Parts<C, U> {
  /** True if a refresh may describe the user anew. */
  readonly describesUser: boolean;
}

interface Run<C> {
  /** The credential that it replaces. */
  readonly version: number;
  readonly done: Promise<void>;
  /** What the server answered, if the page did not take it over. */
  readonly unused: Promise<C | undefined>;
  readonly abort: AbortController;
  /** A request waits for it: the credential is refused, or has expired. */
  isAwaited: boolean;
  /** The answer that asked for it. */
  response?: Response | undefined;
  /** It brings the next credential itself. */
  isAnswered: boolean;
  /** A sign-out of this page ends what it brings. */
  isTaken: boolean;
}

/** Gets a fresh credential for the same user: one refresh at a time, for all who wait. */
export function createRefresh<C, U>(parts: RefreshParts<C, U>) {
  const { store, mechanism, record, clock, timeoutMs, runAs, inTurn, end } = parts;
  const pause = createRetryPause(clock);
  const noAnswer = () => new RefreshUnavailableError(timeoutError(timeoutMs));
  let current: Run<C> | undefined;
  let failures = 0;
  let renewedVersion = -1;
  let lastFailure: Error | undefined;
  let startedEarlyAt = -Infinity;
  let cancelTimer = () => {};
  let isProactive = false;

  /** Starts a refresh, or joins the one of this credential. */
  function join(): Run<C> {
    const { version, status } = store.state;
    if (current?.version === version) return current;
    if (!mechanism.refresh || status !== 'authenticated')
      throw new TypeError('This session cannot refresh its credential: give it a `refresh` option.');
    const abort = new AbortController();
    const unused = Promise.resolve(activation()).then(() => inTurn(turn => exchange(started, turn)));
    // Another credential has replaced the refreshed one: callers stop waiting for this refresh.
    const isReplaced = () => store.state.version !== version && !started.isAnswered;
    const done = Promise.race([unused, store.until(isReplaced, abort.signal)]).then(
      () => {},
      (error: unknown) => {
        // A login in the meantime, or another tab's refresh, wins over this failure.
        if (store.state.version !== version) return;
        failures++;
        throw (lastFailure = pause.start(error));
      },
    );
    const started: Run<C> = { version, done, unused, abort, isAwaited: false, isAnswered: false, isTaken: false };
    current = started;
    const forget = () => {
      if (current === started) current = undefined;
      abort.abort();
    };
    done.then(() => unused.then(forget, forget), forget);
    return started;
  }

  /** Asks the server. Returns a credential that came too late to be taken over. */
  async function exchange(run: Run<C>, turn: AbortSignal): Promise<C | undefined> {
    await record.sync();
    const isOutdated = () => store.state.version !== run.version;
    if (isOutdated()) return undefined;
    const { signIn, credential } = store.state;
    const { signal, unlink } = linkSignals([turn, run.abort.signal]);
    const askedAt = clock.now();
    let result: SignedIn<C, U> | undefined;
    try {
      result = await runAs('refresh', { signal }, limit =>
        mechanism.refresh!({ ...signIn, credential: credential! }, limit),
      );
    } catch (error) {
      if (!(error instanceof SessionExpiredError)) throw error;
    } finally {
      unlink();
    }
    // In another tab the user may have signed out, or in.
    await record.sync();
    if (isOutdated()) {
      if (result && !run.isTaken && store.state.position.ended) await endOnServer(result.credential);
      return result?.credential;
    }
    if (!result || isAnother(result.subject, signIn?.subject)) {
      void end('expired', run.response);
      return undefined;
    }
    run.isAnswered = true;
    const { position, signIn: latest } = store.state;
    const subject = signIn?.subject ?? result.subject;
    const isNews = parts.describesUser && keepIfEqual(signIn?.user, result.user) !== signIn?.user;
    const news = isNews ? { user: result.user, askedAt } : undefined;
    const next = { credential: result.credential, signIn: { ...latest, subject, ...news } };
    if (result.tenant !== signIn?.tenant && result.tenant !== undefined)
      store.dispatch({
        type: 'signed-in',
        ...next,
        signIn: { ...next.signIn, tenant: result.tenant },
        position: { id: record.nextId(), revision: 0 },
      });
    else
      store.dispatch({
        type: 'refreshed',
        ...next,
        position: { ...position, revision: Math.floor(position.revision) + 1 },
      });
    renewedVersion = store.state.version;
    await record.sync();
    return undefined;
  }

  /** The user has signed out in another tab, which did not know of this credential. */
  async function endOnServer(credential: C): Promise<void> {
    await runAs('logout', { credential }, () => mechanism.logout?.(credential) ?? Promise.resolve()).catch(() => {});
  }

  /**
   * Waits for a fresh credential, at most for the timeout.
   *
   * @param seenFailures How many refreshes had failed when the refused request was sent: it shares a later failure.
   * @param response The refusal, for the error of an end.
   * @throws RefreshUnavailableError
   */
  function run(seenFailures = failures, response?: Response): Promise<void> {
    return withTimeout(clock, timeoutMs, wanted(seenFailures, response), noAnswer);
  }

  /** A refresh that a caller waits for. */
  async function wanted(seenFailures = failures, response?: Response): Promise<void> {
    if (current?.version !== store.state.version) {
      if (pause.error) throw pause.error;
      if (seenFailures < failures) throw lastFailure!;
    }
    const joined = join();
    joined.isAwaited = true;
    joined.response ??= response;
    await joined.done;
  }

  /** True if the credential has not expired: it may be sent although its refresh is due, or has failed. */
  const isUnexpired = () => {
    const { status, credential } = store.state;
    return status === 'authenticated' && (mechanism.expiresAt?.(credential!) ?? 0) > clock.now();
  };

  const dueAt = (method: string): number | undefined => {
    const { status, credential } = store.state;
    return status === 'authenticated' && mechanism.refresh ? mechanism.refreshAt?.(credential!, method) : undefined;
  };

  const isDue = (method: string) => (dueAt(method) ?? Infinity) <= clock.now();

  /** Waits for a refresh that is due. @throws RefreshUnavailableError when it fails and the credential has expired */
  const ifDue = async () => {
    if (isDue('GET')) await run().catch(assertUnexpired);
  };

  /** What a request waits for; undefined if the credential may be sent. Starts a refresh that is due. */
  function obstacle(method: string): Promise<void> | undefined {
    const { version } = store.state;
    const isRefused = current?.version === version && current.isAwaited && mechanism.refreshOn !== 'csrf-rejected';
    if (!isDue(method) && !isRefused) return undefined;
    if (isRefused || !isUnexpired()) return wanted().catch(assertUnexpired);
    startEarly();
    return undefined;
  }

  function assertUnexpired(error: unknown): void {
    if (!isUnexpired()) throw error;
  }

  function startEarly(): void {
    const elapsed = clock.now() - startedEarlyAt;
    if ((elapsed >= 0 && elapsed < EARLY_INTERVAL_MS) || pause.error) return;
    startedEarlyAt = clock.now();
    join().done.catch(() => {});
  }

  /** With `autoRefresh`: a timer for the time when the refresh is due. */
  function schedule(): void {
    cancelTimer();
    const at = isProactive ? dueAt('GET') : undefined;
    if (at === undefined) return;
    const now = clock.now();
    const earliest = startedEarlyAt > now ? now : startedEarlyAt + EARLY_INTERVAL_MS;
    cancelTimer = clock.setTimeout(
      () => {
        parts.beforeSending();
        if (isDue('GET')) startEarly();
        schedule();
      },
      Math.max(at, earliest, now) - now,
      true,
    );
  }
  store.subscribeToCredential(schedule);

  return {
    run,
    ifDue,
    obstacle,
    isUnexpired,
    /** Resolves when no refresh is under way, after the timeout at the latest. */
    async settled(): Promise<void> {
      const done = current?.done.catch(() => {}) ?? Promise.resolve();
      await withTimeout(clock, timeoutMs, done, noAnswer).catch(() => {});
    },
    get isUnderWay(): boolean {
      return current?.version === store.state.version;
    },
    /** The version of the credential that this page has refreshed last. */
    get renewedVersion(): number {
      return renewedVersion;
    },
    get failures(): number {
      return failures;
    },
    /** A login has succeeded: a refresh of the credential before counts for nothing. */
    abort(reason: Error): void {
      pause.end();
      current?.abort.abort(reason);
    },
    /** For a sign-out: what a refresh on the wire brings; undefined if there is none, or it fails. */
    async take(): Promise<C | undefined> {
      if (!current) return undefined;
      current.isTaken = true;
      return current.unused.catch(() => undefined);
    },
    start(): void {
      isProactive = mechanism.autoRefresh === true;
      schedule();
    },
    stop(): void {
      isProactive = false;
      cancelTimer();
    },
  };
}

function isAnother(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}
