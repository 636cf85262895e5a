import { untilAborted } from '../../clock.js';
import { ChallengeCancelledError } from '../../errors.js';
import type { LatestAuthCall } from './latestAuthCall.js';
import type { SessionModules } from '../modules.js';
import { noLoginError } from './noLoginError.js';
import type { SessionParts } from '../parts.js';
import type { LoginSender } from './sendLogin.js';
import type { ServerLogout } from './serverLogout.js';
import type { SignedIn } from '../signedIn.js';

interface SignInContext<Credential, User> {
  readonly latest: LatestAuthCall;
  readonly sender: LoginSender<Credential, User>;
  readonly serverLogout: ServerLogout<Credential, User>;
}

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'tabs' | 'restore'>;

/** Signs in: sends a login, or takes what the app has already got from the server. */
export class SignIn<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  readonly #latest: LatestAuthCall;
  readonly #sender: LoginSender<Credential, User>;
  readonly #serverLogout: ServerLogout<Credential, User>;
  #signedInAt: number | undefined;
  #logins = 0;
  #signal = AbortSignal.abort();

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Modules<Credential, User>,
    { latest, sender, serverLogout }: SignInContext<Credential, User>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#latest = latest;
    this.#sender = sender;
    this.#serverLogout = serverLogout;
  }

  /** When the last login on this page succeeded, in milliseconds since 1970. */
  get signedInAt(): number | undefined {
    return this.#signedInAt;
  }

  /** How many logins on this page have succeeded. */
  get logins(): number {
    return this.#logins;
  }

  /** Of the login that the mechanism starts right now: aborted by the next login or logout. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  async login(...args: readonly unknown[]): Promise<User | undefined> {
    const { mechanism } = this.#parts;
    if (!mechanism.login) throw noLoginError();
    return this.#signInWith(superseded => {
      this.#signal = superseded;
      return mechanism.login!(...args);
    });
  }

  /**
   * The user has given up the login that was called last, while a part of it is on the wire: its caller no longer waits. If the server
   * accepts it, it counts like a login that the next one has replaced.
   */
  cancel(reason: Error): void {
    this.#latest.end(reason);
  }

  /** Signs in with what the app has already got from the server. */
  async enter(...args: readonly unknown[]): Promise<User | undefined> {
    const { mechanism } = this.#parts;
    return this.#signInWith(async () =>
      mechanism.enter ? mechanism.enter(...args) : (args[0] as SignedIn<Credential, User>),
    );
  }

  async #signInWith(
    getSignedIn: (superseded: AbortSignal) => Promise<SignedIn<Credential, User>>,
  ): Promise<User | undefined> {
    const { store } = this.#parts;
    const superseded = this.#latest.start('login');
    const sent = this.#sender.send(superseded, () => getSignedIn(superseded));
    try {
      const result = await untilAborted(superseded, sent);
      superseded.throwIfAborted();
      const signedIn = this.#modules.tabs.writes.asLatest(result);
      this.#serverLogout.forget();
      this.#modules.restore.confirm();
      void this.#modules.tabs.writes.storeLogin(signedIn);
      this.#signedInAt = this.#parts.clock.now();
      this.#logins++;
      store.dispatch({ type: 'signed-in', signedIn });
      if (this.#sender.isCookieUncertain) this.#modules.restore.due.mark('stale');
      superseded.throwIfAborted();
      return store.readUser(signedIn.user);
    } catch (error) {
      const isCancelled = error instanceof ChallengeCancelledError;
      if (!superseded.aborted || isCancelled) store.dispatch({ type: 'failed', error: toError(error) });
      if (superseded.aborted && isCancelled) void this.#checkAfter(sent);
      throw error;
    } finally {
      // The cookie may be another user's: an earlier login or another tab has replaced it.
      if (!superseded.aborted && this.#modules.restore.due.isDue) void this.#modules.restore.restore();
    }
  }

  /** A cancelled login may have replaced the cookie: finds out whose it is, unless a next login will. */
  async #checkAfter(cancelled: Promise<unknown>): Promise<void> {
    await cancelled.catch(() => {});
    if (!this.#sender.hasPending) await this.#modules.restore.ensureRestored();
  }
}

function toError(cause: unknown): Error {
  return cause instanceof Error
    ? cause
    : new Error('A login or logout function threw something that is not an Error.', { cause });
}
