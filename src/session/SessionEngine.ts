import { systemClock, untilAborted, withTimeout, type Clock } from '../clock.js';
import { emit } from '../emit.js';
import { IdentityChangedError, InvalidCredentialError, RefreshUnavailableError, SessionExpiredError, SignedOutError } from '../errors.js';
import { createTicket } from './createTicket.js';
import type { Entry, Mechanism, Outgoing, Session, SessionSnapshot, SessionStatus, SignOutReason, Ticket } from './types.js';

/** Times a request may be sent: once, and once more with fresh credentials. */
const MAX_TRIES = 2;

let engines = 0;

/**
 * The state machine behind every session, whatever its mechanism.
 *
 * It holds who is signed in (the snapshot), the entry (credential and person), its version, and one abort controller per epoch.
 * An epoch ends when the identity changes: the controller is aborted with the reason, and that alone makes every ticket of
 * the epoch void. One file on purpose: the order in which these few fields change is the promise.
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
  #entry: Entry<Credential, User> | undefined;
  #version = 0;
  #departures = 0;
  #epochEnd = new AbortController();
  #lifetime = new AbortController();
  #restoring: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #turn = new AbortController();
  #logins = 0;
  #ownCalls: Promise<unknown> = Promise.resolve();
  #stopListening: (() => void) | undefined;
  #cancelTimer = () => {};

  /** @param entry Who is signed in from the start, where that is known without asking. */
  constructor(mechanism: Mechanism<Credential, User>, clock: Clock = systemClock, entry?: Entry<Credential, User>) {
    this.#mechanism = mechanism;
    this.#clock = clock;
    const status = entry ? 'authenticated' : this.#unasked();
    this.#entry = entry;
    this.#initial = this.#snapshot = { status, reason: undefined, user: entry?.user, epoch: 0, error: undefined };
  }

  getSnapshot = (): SessionSnapshot<User> => this.#snapshot;

  /** What a server renders, and a page until it is hydrated: what was known from the start. */
  getServerSnapshot = (): SessionSnapshot<User> => this.#initial;

  /** How many identities were left so far. A store made at one count never serves another. */
  getDepartures = (): number => this.#departures;

  getCredential = (): Credential | undefined => this.#entry?.credential;

  /**
   * Starts the restore, if there is one to do: pages subscribe, servers never do. While anybody does, the session hears what
   * other tabs tell, and renews ahead where that is asked for.
   */
  subscribe = (listener: () => void): (() => void) => {
    const stop = listen(this.#listeners, listener);
    if (this.#listeners.size === 1) this.#watch();
    void this.#start();
    return () => {
      stop();
      if (this.#listeners.size === 0) this.#rest();
    };
  };

  /** Like `subscribe`, for changes of the credential as well. */
  subscribeToCredential = (listener: () => void): (() => void) => listen(this.#credentialListeners, listener);

  login = async (...args: readonly never[]): Promise<User | undefined> => {
    const { login } = this.#mechanism;
    if (!login) throw new TypeError('This session has no login of its own: sign in with the SDK that gives it its token.');
    const turn = this.#takeTurn();
    try {
      const entry = await untilAborted(turn, this.#signIn(turn, () => login(...(args as never[]))));
      turn.throwIfAborted();
      this.#share(entry);
      this.enter(entry);
      turn.throwIfAborted();
      return entry.user;
    } catch (error) {
      return this.#fail(turn, error);
    }
  };

  logout = async (): Promise<void> => {
    const turn = this.#takeTurn();
    const { logout } = this.#mechanism;
    const credential = this.getCredential();
    // A login under way may still succeed on the server.
    const nobody = this.#snapshot.status === 'anonymous' && this.#logins === 0 && !this.#restoring;
    this.end('signed-out');
    if (!logout || nobody) return;
    try {
      await this.#inTurn(() => this.#bounded(logout(credential)));
    } catch (error) {
      this.#fail(turn, error);
    }
  };

  refresh = async (): Promise<void> => {
    if (this.#snapshot.status === 'authenticated') return this.#refresh();
    await this.#ask();
    if (this.#snapshot.error) throw this.#snapshot.error;
  };

  dispose = (): void => {
    const reason = new IdentityChangedError('The session was disposed of, so this request was called off.');
    const lifetime = this.#lifetime;
    this.#lifetime = new AbortController();
    // What is mounted still is mounted anew, and asks again.
    if (this.#snapshot.status === 'anonymous' && this.#unasked() === 'restoring') this.#departures++;
    this.#rest();
    this.#takeTurn(reason);
    lifetime.abort(reason);
    this.#become(this.#unasked(), undefined, undefined, reason);
  };

  /** Somebody is signed in: the same person with another credential, or somebody else. */
  enter(entry: Entry<Credential, User>): void {
    const samePerson = this.#entry !== undefined && entry.subject !== undefined && entry.subject === this.#entry.subject;
    if (!samePerson) return this.#become('authenticated', entry, undefined, new IdentityChangedError());
    this.#hold(entry);
    this.#set({ user: entry.user, error: undefined });
  }

  /** Nobody is signed in any more, whatever a question under way will find. Without further effect when nobody is. */
  leave(reason: SignOutReason): void {
    this.#restoring = undefined;
    if (this.#snapshot.status === 'anonymous') return;
    this.#become('anonymous', undefined, reason, reason === 'expired' ? new SessionExpiredError() : new SignedOutError());
  }

  /**
   * Another identity, or nobody: the one place where an epoch ends.
   *
   * @param end What every request of the epoch is told. The new state stands already then: abort listeners are callers' code.
   */
  #become(status: SessionStatus, entry: Entry<Credential, User> | undefined, reason: SignOutReason | undefined, end: Error): void {
    const ended = this.#epochEnd;
    this.#epochEnd = new AbortController();
    this.#refreshing = this.#restoring = undefined;
    if (this.#entry) this.#departures++;
    this.#snapshot = { status, reason, user: entry?.user, epoch: this.#snapshot.epoch + 1, error: undefined };
    this.#entry = entry;
    this.#version++;
    this.#schedule();
    ended.abort(end);
    emit(this.#listeners);
    emit(this.#credentialListeners);
  }

  /** The server refuses the identity. Without effect when nobody is signed in, so that many refusals end it once. */
  expire(): void {
    if (this.#snapshot.status === 'authenticated') this.end('expired');
  }

  /** Like `leave`, for this page and all that shares its credential. Without effect when nobody is signed in. */
  end(reason: SignOutReason): void {
    if (this.#snapshot.status !== 'anonymous' || this.#restoring) this.#share(undefined);
    this.leave(reason);
  }

  /** What happened here is kept, and told to the other tabs. */
  #share(entry: Entry<Credential, User> | undefined): void {
    const { save, tabs } = this.#mechanism;
    const tell = () => tabs?.tell(entry?.subject ?? null);
    if (save) void save(entry).then(tell);
    else tell();
  }

  /** What another tab has kept is taken over as it is: neither kept nor told again. The same person stays the same object. */
  #takeOver(kept: Entry<Credential, User> | undefined): void {
    const held = this.#entry;
    if (!kept) this.leave('elsewhere');
    else if (!held || kept.subject !== held.subject) this.enter(kept);
    else if (!this.#mechanism.same(kept.credential, held.credential)) this.#hold({ ...kept, user: held.user });
  }

  /** Another tab tells who is signed in there. Where tabs keep that in one place, the place decides: news may be overtaken. */
  readonly #hear = (subject: string | null): void => {
    const { load } = this.#mechanism;
    const known = this.#entry;
    const isKnown = known !== undefined && known.subject === subject;
    if (load && this.#snapshot.status !== 'restoring') {
      const look = this.#bounded(load(isKnown ? known : undefined)).catch(() => undefined);
      void look.then(kept => this.#entry === known && this.#takeOver(kept));
    } else if (!isKnown) {
      if (!load) this.leave('elsewhere');
      this.#restoring = undefined;
      if (load || subject !== null) void this.#ask();
    }
  };

  /** Given to a request when its caller starts it, before anything is awaited. */
  ticket(callerSignal?: AbortSignal): Ticket {
    return createTicket(this.#version, this.#epochEnd.signal, callerSignal);
  }

  /** Waits until it is known who is signed in, and until a refresh that is due or under way is done. */
  async ready(ticket: Ticket, method: string): Promise<void> {
    while (this.#snapshot.status === 'restoring') await this.#start();
    ticket.signal.throwIfAborted();
    if (!this.#entry || this.#mechanism.covers?.(method) === false) return;
    if (!this.#refreshing && this.#dueAt() > this.#clock.now()) return;
    await this.#refresh().catch((error: unknown) => {
      // Asked for early, and in vain: what is held may still do.
      if (!this.#entry || !this.#mechanism.isGood?.(this.#entry.credential)) throw error;
    });
  }

  /**
   * Puts the credential on a request: read now, in the moment of sending.
   *
   * @throws the ticket's reason when the identity changed, UntrustedOriginError, InvalidCredentialError.
   */
  async carry(ticket: Ticket, request: Outgoing): Promise<RequestInit> {
    const { ambient, carry } = this.#mechanism;
    if (ambient && this.#entry) await this.allAnswered();
    // A login that takes longer than requests wait for it may exchange the credential at any moment.
    if (ambient && this.#entry && this.#logins > 0) throw new RefreshUnavailableError();
    const credential = await this.#read();
    ticket.signal.throwIfAborted();
    ticket.version = this.#version;
    const own = request.init.signal;
    const isNew = own && own !== ticket.callerSignal;
    return { ...carry(request, credential), signal: isNew ? AbortSignal.any([ticket.signal, own]) : ticket.signal };
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
    const isNewest = ticket.version === this.#version;
    await this.#read();
    ticket.signal.throwIfAborted();
    if (tries < MAX_TRIES && ticket.version !== this.#version) return true;
    if (tries < MAX_TRIES && this.#mechanism.renew && verdict === this.#mechanism.renews) {
      await this.#refresh();
      return true;
    }
    if (verdict === 'expired' && isNewest) this.expire();
    return false;
  }

  /** One refresh at a time and per epoch: later callers share the one under way. */
  #refresh(): Promise<void> {
    if (!this.#refreshing) {
      const refreshing = this.#renew().finally(() => {
        if (this.#refreshing === refreshing) this.#refreshing = undefined;
      });
      this.#refreshing = refreshing;
    }
    return this.#refreshing;
  }

  async #renew(): Promise<void> {
    const held = this.#entry;
    if (!held || !this.#mechanism.renew) throw new TypeError('This session cannot renew its credential: give it a `refresh` option.');
    const { signal } = this.#epochEnd;
    try {
      await new Promise<void>((renewed, failed) => {
        this.#alone(turn => this.#exchange(held, turn, renewed), signal).then(renewed, failed);
      });
    } catch (error) {
      // Whatever changed the credential meanwhile (a sign-out, another login) knows better.
      if (signal.aborted || this.#entry === held) this.#giveUp(signal, error);
    }
  }

  /**
   * Check, lock, check again, act: in its turn, this tab may find that another one was faster.
   *
   * @param turn Aborted when it is over.
   * @param renewed Called once the credential is there; the turn goes on until other tabs can read it too.
   */
  async #exchange(held: Entry<Credential, User>, turn: AbortSignal, renewed: () => void): Promise<void> {
    const { load, renew, save, tabs } = this.#mechanism;
    if (this.#isOvertaken(held, load ? await load(held) : held) || turn.aborted) return;
    const { credential, subject } = await renew!(held);
    // An answer that comes after its waiters were told “not now” is still the newest credential there is.
    if (this.#isOvertaken(held, load ? await load(held) : held)) return;
    if (subject !== undefined && held.subject !== undefined && subject !== held.subject) throw new SessionExpiredError();
    const entry = { ...held, credential, subject: held.subject ?? subject };
    this.#hold(entry);
    renewed();
    await save?.(entry);
    if (save) tabs?.tell(entry.subject ?? null);
  }

  /** Whether a refresh comes too late for the entry; what another tab has kept instead is taken over. */
  #isOvertaken(held: Entry<Credential, User>, kept: Entry<Credential, User> | undefined): boolean {
    if (this.#entry !== held) return true;
    if (kept && this.#mechanism.same(kept.credential, held.credential)) return false;
    this.#takeOver(kept);
    return true;
  }

  /** No credential could be had: that was a refusal, which ends the session, or it is “not now”. */
  #giveUp(signal: AbortSignal, error: unknown): never {
    if (!signal.aborted && error instanceof SessionExpiredError) this.end('expired');
    signal.throwIfAborted();
    throw new RefreshUnavailableError(error);
  }

  /** The same person's next credential; nothing that is shown changes by it. */
  #hold(entry: Entry<Credential, User>): void {
    this.#entry = entry;
    this.#version++;
    this.#schedule();
    emit(this.#credentialListeners);
  }

  /** When the credential should be renewed, in milliseconds since 1970. */
  #dueAt(): number {
    return (this.#entry && this.#mechanism.dueAt?.(this.#entry.credential)) ?? Infinity;
  }

  /** Renews ahead, where that is asked for: once the credential is due, and again after the delay where that was in vain. */
  #schedule(delayMs = 0): void {
    this.#cancelTimer();
    const dueAt = this.#dueAt();
    if (!this.#mechanism.renewsAhead || dueAt === Infinity || this.#listeners.size === 0) return;
    const untilDue = Math.max(dueAt - this.#clock.now(), delayMs);
    this.#cancelTimer = this.#clock.after(untilDue, () => {
      this.#refresh().catch(() => this.#schedule(this.#mechanism.timeoutMs));
    });
  }

  /** Somebody watches again. What was told while nobody did stands in the place that tabs share. */
  #watch(): void {
    this.#stopListening ??= this.#mechanism.tabs?.listen(this.#hear);
    if (this.#entry && this.#stopListening) this.#hear(this.#entry.subject ?? null);
    this.#schedule();
  }

  /** Nobody watches any more. */
  #rest(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#cancelTimer();
  }

  /** The credential of this moment; one that changed outside the session is a new version. */
  async #read(): Promise<Credential | undefined> {
    const { read, same } = this.#mechanism;
    const held = this.#entry;
    if (!held || !read) return held?.credential;
    const { signal } = this.#epochEnd;
    let now: Credential | undefined;
    try {
      now = await this.#bounded(Promise.resolve(read(held.credential)), signal);
    } catch (error) {
      if (error instanceof InvalidCredentialError) throw error;
      this.#giveUp(signal, error);
    }
    if (signal.aborted || this.#entry !== held) return this.getCredential();
    if (now === undefined) this.leave('elsewhere');
    else if (!same(now, held.credential)) this.#hold({ ...held, credential: now });
    return this.getCredential();
  }

  #start(): Promise<void> {
    return this.#restoring ?? (this.#snapshot.status === 'restoring' ? this.#ask() : Promise.resolve());
  }

  /** The status before anybody was asked who is signed in. */
  #unasked(): 'restoring' | 'anonymous' {
    return this.#mechanism.load || this.#mechanism.restore ? 'restoring' : 'anonymous';
  }

  /** Asks whether somebody is signed in; callers meanwhile share the question. */
  #ask(): Promise<void> {
    if (this.#restoring || this.#unasked() === 'anonymous') return this.#restoring ?? Promise.resolve();
    // A login or logout that comes meanwhile knows better.
    const isAsked = () => this.#restoring === asking;
    const asking: Promise<void> = this.#find(isAsked).then(({ entry, error }) => {
      if (!isAsked()) return;
      this.#restoring = undefined;
      if (!entry) return this.#set({ status: 'anonymous', error });
      if (this.#snapshot.status === 'anonymous') return this.enter(entry);
      this.#hold(entry);
      this.#set({ status: 'authenticated', user: entry.user, reason: undefined, error: undefined });
    });
    return (this.#restoring = asking);
  }

  async #find(isAsked: () => boolean): Promise<{ entry?: Entry<Credential, User> | undefined; error?: Error }> {
    const { signal } = this.#epochEnd;
    const { load, restore } = this.#mechanism;
    try {
      const kept = load && (await this.#bounded(load(undefined), signal));
      return { entry: kept || !restore ? kept : await this.#alone(() => this.#restore(isAsked), signal) };
    } catch (cause) {
      if (cause instanceof SessionExpiredError) return {};
      return { error: cause instanceof InvalidCredentialError ? cause : new RefreshUnavailableError(cause) };
    }
  }

  /** Asks the server, unless another tab has done so while this one waited for its turn. */
  async #restore(isAsked: () => boolean): Promise<Entry<Credential, User> | undefined> {
    const { ambient, load, restore, save } = this.#mechanism;
    const kept = await load?.(undefined);
    // A sign-out under way has not reached the server yet.
    if (ambient) await this.allAnswered();
    const entry = kept ?? (await restore?.());
    if (entry && !kept && isAsked()) await save?.(entry);
    return entry;
  }

  /** Calls off what the logins and logouts before this one still wait for: the last one called wins. */
  #takeTurn(reason = new IdentityChangedError('Another login or logout was started after this one, and it wins.')): AbortSignal {
    const before = this.#turn;
    this.#turn = new AbortController();
    before.abort(reason);
    return this.#turn.signal;
  }

  /** A failure of the last login or logout stands in the snapshot too. */
  #fail(turn: AbortSignal, cause: unknown): never {
    const error = cause instanceof Error ? cause : new Error('A login or logout function threw something that is not an Error.', { cause });
    if (!turn.aborted) this.#set({ error });
    throw cause;
  }

  /** Sends a login, unless a later one was called before its turn came. */
  #signIn(turn: AbortSignal, login: () => Promise<Entry<Credential, User>>): Promise<Entry<Credential, User>> {
    this.#logins++;
    return this.#inTurn(async () => {
      turn.throwIfAborted();
      const entry = await login();
      // The browser now holds the credential of a login that nobody waits for any more.
      if (turn.aborted && this.#mechanism.ambient) this.end('elsewhere');
      return entry;
    }).finally(() => this.#logins--);
  }

  /** Logins and logouts go to the server one after the other, so that the last one called is the last one answered. */
  #inTurn<T>(call: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#ownCalls = this.#ownCalls.then(() => {
        const result = call();
        result.then(resolve, reject);
        return this.#bounded(result).catch(() => {});
      });
    });
  }

  /** Waits until no login or logout is under way. */
  async allAnswered(): Promise<void> {
    for (let calls: unknown; calls !== this.#ownCalls; ) await (calls = this.#ownCalls);
  }

  /** The promise, for as long as the timeout and the signal allow. */
  #bounded<T>(promise: Promise<T>, signal = this.#lifetime.signal): Promise<T> {
    const { timeoutMs } = this.#mechanism;
    return withTimeout(this.#clock, timeoutMs, untilAborted(signal, promise), () => new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError'));
  }

  /** The same for what one tab at a time may do; the turn is over when its signal is aborted. */
  async #alone<T>(act: (turn: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const alone = this.#mechanism.tabs?.alone;
    const turn = new AbortController();
    const run = () => this.#bounded(act(turn.signal), signal);
    return (alone ? this.#bounded(alone(run, turn.signal), signal) : run()).finally(() => turn.abort());
  }

  #set(change: Partial<SessionSnapshot<User>>): void {
    const before = this.#snapshot;
    if ((Object.keys(change) as (keyof SessionSnapshot)[]).every(field => before[field] === change[field])) return;
    this.#snapshot = { ...before, ...change };
    emit(this.#listeners);
  }
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  const own = () => listener();
  listeners.add(own);
  return () => listeners.delete(own);
}
