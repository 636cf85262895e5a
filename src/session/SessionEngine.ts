import { IdentityChangedError, InvalidCredentialError, RefreshUnavailableError, SessionExpiredError, SignedOutError } from '../errors.js';
import { systemClock, withTimeout, type Clock } from './clock.js';
import { createTicket } from './createTicket.js';
import { isRefusal, statusOf } from './isRefusal.js';
import { assertTrusted } from './origins.js';
import type { Entry, Mechanism, Outgoing, Session, SessionSnapshot, SignOutReason, Ticket } from './types.js';
import { untilAborted } from './untilAborted.js';

/** Times a request may be sent: once, and once more with fresh credentials. */
const MAX_TRIES = 2;

let engines = 0;

/**
 * The state machine behind every session, whatever its mechanism.
 *
 * It holds who is signed in (the snapshot), the credential and its version, and one abort controller per epoch. An epoch
 * ends when the identity changes: the controller is aborted with the reason, and that alone makes every ticket of the
 * epoch void. One file on purpose: the order in which these few fields change is the promise.
 */
export class SessionEngine<Credential = unknown, User = unknown> implements Session<User, readonly never[]> {
  /** Tells this session from every other one of the page. */
  readonly id = ++engines;
  readonly #mechanism: Mechanism<Credential, User>;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  readonly #credentialListeners = new Set<() => void>();
  readonly #initial: SessionSnapshot<User>;
  #snapshot: SessionSnapshot<User>;
  #credential: Credential | undefined;
  #subject: string | undefined;
  #version = 0;
  #departures = 0;
  #epochEnd = new AbortController();
  #lifetime = new AbortController();
  #restoring: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #turn = new AbortController();
  #logins = 0;
  #ownCalls: Promise<unknown> = Promise.resolve();

  /** @param entry Who is signed in from the start, where that is known without asking. */
  constructor(mechanism: Mechanism<Credential, User>, clock: Clock = systemClock, entry?: Entry<Credential, User>) {
    this.#mechanism = mechanism;
    this.#clock = clock;
    const status = entry ? 'authenticated' : mechanism.restore ? 'restoring' : 'anonymous';
    if (entry) this.#hold(entry);
    this.#initial = this.#snapshot = { status, reason: undefined, user: entry?.user, epoch: 0, error: undefined };
  }

  // ---------------------------------------------------------------- reading

  getSnapshot = (): SessionSnapshot<User> => this.#snapshot;

  /** What a server renders, and a page until it is hydrated: what was known from the start. */
  getServerSnapshot = (): SessionSnapshot<User> => this.#initial;

  /** How many identities were left so far. A store made at one count never serves another. */
  getDepartures = (): number => this.#departures;

  /** The credential held now. */
  getCredential = (): Credential | undefined => this.#credential;

  /** Starts the restore, if there is one to do: pages subscribe, servers never do. */
  subscribe = (listener: () => void): (() => void) => {
    void this.#start();
    return listen(this.#listeners, listener);
  };

  /** Like `subscribe`, for changes of the credential as well. */
  subscribeToCredential = (listener: () => void): (() => void) => listen(this.#credentialListeners, listener);

  // ---------------------------------------------------------------- signing in and out

  login = async (...args: readonly never[]): Promise<User | undefined> => {
    const { login } = this.#mechanism;
    if (!login) throw new TypeError('This session has no login of its own: sign in with the SDK that gives it its token.');
    const turn = this.#takeTurn();
    try {
      const entry = await untilAborted(turn, this.#signIn(turn, () => login(...(args as never[]))));
      turn.throwIfAborted();
      this.enter(entry);
      turn.throwIfAborted();
      return entry.user;
    } catch (error) {
      if (!turn.aborted) this.#set({ error: toError(error) });
      throw error;
    }
  };

  logout = async (): Promise<void> => {
    const turn = this.#takeTurn();
    const { logout } = this.#mechanism;
    const credential = this.#credential;
    // A login under way may still succeed on the server.
    const nobody = this.#snapshot.status === 'anonymous' && this.#logins === 0;
    this.#restoring = undefined;
    this.leave('signed-out');
    if (!logout || nobody) return;
    try {
      await this.#inTurn(() => this.#bounded(logout(credential)));
    } catch (error) {
      // The server knows of nobody signed in: that is what was asked for.
      if (statusOf(error) === 401) return;
      if (!turn.aborted) this.#set({ error: toError(error) });
      throw error;
    }
  };

  refresh = async (): Promise<void> => {
    if (this.#snapshot.status === 'authenticated') return this.#refresh();
    await this.#ask();
    if (this.#snapshot.error) throw this.#snapshot.error;
  };

  dispose = (): void => {
    const reason = new IdentityChangedError('The session was disposed of, so this request was called off.');
    const { status, epoch } = this.#snapshot;
    if (status === 'authenticated') this.#departures++;
    this.#credential = this.#subject = undefined;
    this.#snapshot = { status: this.#mechanism.restore ? 'restoring' : 'anonymous', reason: undefined, user: undefined, epoch, error: undefined };
    this.#takeTurn(reason);
    const lifetime = this.#lifetime;
    this.#lifetime = new AbortController();
    lifetime.abort(reason);
    this.#endEpoch(reason);
  };

  // ---------------------------------------------------------------- changes of identity

  /** Somebody is signed in: the same person with another credential, or somebody else. */
  enter(entry: Entry<Credential, User>): void {
    const { status, epoch } = this.#snapshot;
    const samePerson = status === 'authenticated' && entry.subject !== undefined && entry.subject === this.#subject;
    this.#mechanism.save?.(entry);
    this.#hold(entry);
    if (samePerson) {
      this.#refreshing = undefined;
      this.#set({ user: entry.user, error: undefined });
      return emit(this.#credentialListeners);
    }
    this.#snapshot = { status: 'authenticated', reason: undefined, user: entry.user, epoch, error: undefined };
    if (status === 'authenticated') this.#departures++;
    this.#endEpoch(new IdentityChangedError());
  }

  /** Nobody is signed in any more. Without effect when nobody is. */
  leave(reason: SignOutReason): void {
    const { status, epoch } = this.#snapshot;
    if (status === 'anonymous') return;
    this.#mechanism.save?.(undefined);
    this.#credential = this.#subject = undefined;
    if (status === 'authenticated') this.#departures++;
    this.#snapshot = { status: 'anonymous', reason, user: undefined, epoch, error: undefined };
    this.#endEpoch(reason === 'expired' ? new SessionExpiredError() : new SignedOutError());
  }

  /** The server refuses the identity. Without effect when nobody is signed in, so that many refusals end it once. */
  expire(): void {
    if (this.#snapshot.status === 'authenticated') this.leave('expired');
  }

  // ---------------------------------------------------------------- requests

  /** Given to a request when its caller starts it, before anything is awaited. */
  ticket(callerSignal?: AbortSignal): Ticket {
    return createTicket(this.#version, this.#epochEnd.signal, callerSignal);
  }

  /** Waits until it is known who is signed in, and until a refresh that is due or under way is done. */
  async ready(ticket: Ticket, method: string): Promise<void> {
    await this.#start();
    assertValid(ticket);
    const { covers, isDue } = this.#mechanism;
    const credential = this.#credential;
    if (credential === undefined || covers?.(method) === false) return;
    if (this.#refreshing ?? isDue?.(credential)) await this.#refresh();
  }

  /**
   * Puts the credential on a request: read now, in the moment of sending.
   *
   * @throws the ticket's reason when the identity changed, UntrustedOriginError, InvalidCredentialError.
   */
  async carry(ticket: Ticket, request: Outgoing): Promise<RequestInit> {
    const { origins, ambient, carry } = this.#mechanism;
    assertTrusted(request, origins);
    if (ambient && this.#credential !== undefined) await this.#allAnswered();
    const credential = await this.#read();
    assertValid(ticket);
    ticket.version = this.#version;
    const own = request.init.signal;
    const isNew = own && own !== ticket.callerSignal;
    return { ...carry(request.init, credential), signal: isNew ? AbortSignal.any([ticket.signal, own]) : ticket.signal };
  }

  /**
   * Judges a failed attempt. Resolves true when the request should be sent once more, with the credential of then.
   *
   * @throws what the caller should see when the refusal ended the session, or the credential could not be renewed.
   */
  async mayReplay(ticket: Ticket, response: Response | undefined, tries: number): Promise<boolean> {
    if (!response || this.#snapshot.status !== 'authenticated') return false;
    const verdict = await this.#mechanism.judge(response);
    if (verdict === 'accepted') return false;
    await this.#read();
    assertValid(ticket);
    const superseded = ticket.version !== this.#version;
    if (tries < MAX_TRIES && superseded) return true;
    if (tries < MAX_TRIES && this.#mechanism.renew && verdict === this.#mechanism.renews) {
      await this.#refresh();
      return true;
    }
    if (verdict === 'expired' && !superseded) this.expire();
    assertValid(ticket);
    return false;
  }

  // ---------------------------------------------------------------- credentials

  /** One refresh at a time and per epoch: later callers share the one under way. */
  #refresh(): Promise<void> {
    if (!this.#refreshing) {
      const refreshing = this.#renew().finally(() => {
        if (this.#refreshing === refreshing) this.#refreshing = undefined;
      });
      refreshing.catch(() => {});
      this.#refreshing = refreshing;
    }
    return this.#refreshing;
  }

  async #renew(): Promise<void> {
    const { renew } = this.#mechanism;
    if (!renew) throw new TypeError('This session cannot renew its credential: give it a `refresh` option.');
    const { signal } = this.#epochEnd;
    const credential = this.#credential as Credential;
    try {
      const entry = await this.#bounded(renew(credential), signal);
      // Whatever changed the credential meanwhile (a sign-out, another login) knows better.
      if (this.#credential !== credential) return;
      const stranger = entry.subject !== undefined && this.#subject !== undefined && entry.subject !== this.#subject;
      if (stranger) throw new SessionExpiredError();
      this.#hold({ credential: entry.credential, subject: this.#subject ?? entry.subject });
      this.#mechanism.save?.({ credential: entry.credential, user: this.#snapshot.user, subject: this.#subject });
      emit(this.#credentialListeners);
    } catch (error) {
      if (!signal.aborted && this.#credential !== credential) return;
      this.#giveUp(signal, error);
    }
  }

  /** No credential could be had: that was a refusal, which ends the session, or it is “not now”. */
  #giveUp(signal: AbortSignal, error: unknown): never {
    if (!signal.aborted && this.#mechanism.renews === 'expired' && isRefusal(error)) this.leave('expired');
    signal.throwIfAborted();
    throw new RefreshUnavailableError(error);
  }

  #hold(entry: Entry<Credential, User>): void {
    this.#credential = entry.credential;
    this.#subject = entry.subject;
    this.#version++;
  }

  /** The credential of this moment; one that changed outside the session is a new version. */
  async #read(): Promise<Credential | undefined> {
    const { read, same } = this.#mechanism;
    const held = this.#credential;
    if (held === undefined || !read) return held;
    const { signal } = this.#epochEnd;
    let now: Credential | undefined;
    try {
      now = await this.#bounded(Promise.resolve(read(held)), signal);
    } catch (error) {
      if (error instanceof InvalidCredentialError) throw error;
      this.#giveUp(signal, error);
    }
    if (signal.aborted || this.#credential !== held) return this.#credential;
    if (now === undefined) this.leave('elsewhere');
    else if (!same(now, held)) {
      this.#hold({ credential: now, subject: this.#subject });
      emit(this.#credentialListeners);
    }
    return this.#credential;
  }

  /** Waits until it is known whether somebody is signed in. */
  #start(): Promise<void> {
    return this.#restoring ?? (this.#snapshot.status === 'restoring' ? this.#ask() : Promise.resolve());
  }

  /** Asks whether somebody is signed in; callers meanwhile share the question. */
  #ask(): Promise<void> {
    const { restore } = this.#mechanism;
    if (this.#restoring || !restore) return this.#restoring ?? Promise.resolve();
    const asking: Promise<void> = this.#restore(restore).then(({ entry, error }) => {
      // A login or logout that came meanwhile knows better.
      if (this.#restoring !== asking) return;
      this.#restoring = undefined;
      if (!entry) return this.#set({ status: 'anonymous', error });
      if (this.#snapshot.status === 'anonymous') return this.enter(entry);
      this.#hold(entry);
      this.#set({ status: 'authenticated', user: entry.user, reason: undefined, error: undefined });
      emit(this.#credentialListeners);
    });
    return (this.#restoring = asking);
  }

  async #restore(restore: () => Promise<Entry<Credential, User> | undefined>): Promise<{ entry?: Entry<Credential, User> | undefined; error?: Error }> {
    try {
      return { entry: await this.#bounded(restore(), this.#epochEnd.signal) };
    } catch (cause) {
      return isRefusal(cause) ? {} : { error: cause instanceof InvalidCredentialError ? cause : new RefreshUnavailableError(cause) };
    }
  }

  // ---------------------------------------------------------------- logins and logouts on the server

  /** Calls off what the logins and logouts before this one still wait for: the last one called wins. */
  #takeTurn(reason = new IdentityChangedError('Another login or logout was started after this one, and it wins.')): AbortSignal {
    const before = this.#turn;
    this.#turn = new AbortController();
    before.abort(reason);
    return this.#turn.signal;
  }

  /** Sends a login, unless a later one was called before its turn came. */
  #signIn(turn: AbortSignal, login: () => Promise<Entry<Credential, User>>): Promise<Entry<Credential, User>> {
    this.#logins++;
    return this.#inTurn(async () => {
      turn.throwIfAborted();
      const entry = await login();
      // The browser now holds the credential of a login that nobody waits for any more.
      if (turn.aborted && this.#mechanism.ambient && this.#credential !== undefined) this.leave('elsewhere');
      return entry;
    }).finally(() => this.#logins--);
  }

  /** Logins and logouts go to the server one after the other, so that the last one called is the last one answered. */
  #inTurn<T>(call: () => Promise<T>): Promise<T> {
    const result = this.#ownCalls.then(call);
    this.#ownCalls = this.#bounded(result).catch(() => {});
    return result;
  }

  /** Waits until no login or logout is under way. */
  async #allAnswered(): Promise<void> {
    for (let calls: unknown; calls !== this.#ownCalls; ) await (calls = this.#ownCalls);
  }

  /** The promise, for as long as the timeout and the signal allow. */
  #bounded<T>(promise: Promise<T>, signal = this.#lifetime.signal): Promise<T> {
    const { timeoutMs } = this.#mechanism;
    return withTimeout(this.#clock, timeoutMs, untilAborted(signal, promise), () => new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError'));
  }

  // ---------------------------------------------------------------- bookkeeping

  /** The one place where an epoch ends. The new state must stand already: abort listeners are callers' code. */
  #endEpoch(reason: Error): void {
    const ended = this.#epochEnd;
    this.#epochEnd = new AbortController();
    this.#refreshing = this.#restoring = undefined;
    this.#version++;
    this.#snapshot = { ...this.#snapshot, epoch: this.#snapshot.epoch + 1 };
    ended.abort(reason);
    emit(this.#listeners);
    emit(this.#credentialListeners);
  }

  #set(change: Partial<SessionSnapshot<User>>): void {
    const before = this.#snapshot;
    const changed = (Object.keys(change) as (keyof SessionSnapshot)[]).some(field => before[field] !== change[field]);
    if (!changed) return;
    this.#snapshot = { ...before, ...change };
    emit(this.#listeners);
  }
}

/** @throws the reason for which the ticket is void: the identity changed, or the caller gave up. */
export function assertValid(ticket: Ticket): void {
  ticket.signal.throwIfAborted();
}

/** Tells every listener. One that throws is reported like any uncaught error, and neither the session nor the others notice. */
function emit(listeners: ReadonlySet<() => void>): void {
  for (const listener of [...listeners]) {
    try {
      listener();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  const own = () => listener();
  listeners.add(own);
  return () => listeners.delete(own);
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error('A login or logout function threw something that is not an Error.', { cause });
}

/** @throws TypeError when the object is not a session of this kit. */
export function engineOf(session: Session<any, any>): SessionEngine {
  if (session instanceof SessionEngine) return session;
  throw new TypeError('`session` is not a session of data-client-auth. Make it with createTokenSession() or createCookieSession().');
}
