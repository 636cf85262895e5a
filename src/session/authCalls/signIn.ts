import { untilAborted } from '../../clock.js';
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

/** Signs in: sends a login, or takes what the app has already got from the server. */
export class SignIn<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'tabs' | 'restore'>;
  readonly #latest: LatestAuthCall;
  readonly #sender: LoginSender<Credential, User>;
  readonly #serverLogout: ServerLogout<Credential, User>;
  #signedInAt: number | undefined;
  #signal = AbortSignal.abort();

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Pick<SessionModules<Credential, User>, 'tabs' | 'restore'>,
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
    try {
      const result = await untilAborted(
        superseded,
        this.#sender.send(superseded, () => getSignedIn(superseded)),
      );
      superseded.throwIfAborted();
      const signedIn = this.#modules.tabs.writes.asLatest(result);
      this.#serverLogout.forget();
      this.#modules.restore.confirm();
      void this.#modules.tabs.writes.storeLogin(signedIn);
      this.#signedInAt = this.#parts.clock.now();
      store.dispatch({ type: 'signed-in', signedIn });
      if (this.#sender.isCookieUncertain) this.#modules.restore.markStale();
      superseded.throwIfAborted();
      return store.readUser(signedIn.user);
    } catch (error) {
      if (!superseded.aborted) store.dispatch({ type: 'failed', error: toError(error) });
      throw error;
    } finally {
      // The cookie may be another user's: an earlier login or another tab has replaced it.
      if (!superseded.aborted && this.#modules.restore.isStale) void this.#modules.restore.restore();
    }
  }
}

function toError(cause: unknown): Error {
  return cause instanceof Error
    ? cause
    : new Error('A login or logout function threw something that is not an Error.', { cause });
}
