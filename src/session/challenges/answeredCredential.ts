import { InvalidCredentialError, SessionExpiredError } from '../../errors.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import type { SignedIn } from '../signedIn.js';
import { withTabLock } from '../tabs/tabLock.js';

const OTHER_USER =
  'The answer to the challenge brought the credential of another user, so it was not used. Sign that user in instead.';

/** True for the result of an endpoint whose server answered 204. */
const isNothing = (result: unknown) => result === undefined || result === null || result === '';

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'refresh' | 'tabs'>;

/** Takes over the credential that the answer to a challenge brings, and notices when another tab has done so. */
export class AnsweredCredential<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  /** How many challenges of the current sign-in were answered, as far as this page knows. */
  #answers = 0;
  #version = 0;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Modules<Credential, User>,
    onAnsweredElsewhere: () => void,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    const { store } = parts;
    store.subscribeToCredential(() => {
      const { answers = 0 } = store.state.signedIn ?? {};
      const isNews = answers > this.#answers;
      this.#answers = answers;
      if (!isNews) return;
      this.#version = store.state.credentialVersion;
      onAnsweredElsewhere();
    });
  }

  /** The version of the credential that the last answer made. */
  get version(): number {
    return this.#version;
  }

  /**
   * Resolves when the session has the credential. The lock is held until other tabs can read it too.
   *
   * @param result What the app's `answer`, or the SDK, returned. Nothing: the credential stays the same.
   * @param signal Aborted when the challenge is closed.
   * @throws InvalidCredentialError when the result is no credential, or another user's.
   */
  async replace(result: unknown, signal: AbortSignal): Promise<void> {
    // A refresh under way drops its answer when the credential changes, so wait for it. After the timeout, its answer may be lost.
    if (this.#bringsCredential(result))
      await this.#parts.withDeadline(this.#modules.refresh.settled(), signal).catch(() => {});
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const run = () => this.#replaceUnderLock(result, signal, resolve);
      withTabLock(this.#parts, run, signal).then(resolve, reject);
    });
  }

  #bringsCredential(result: unknown): boolean {
    return !isNothing(result) && this.#parts.mechanism.readAnswer !== undefined;
  }

  async #replaceUnderLock(result: unknown, signal: AbortSignal, onReplaced: () => void): Promise<void> {
    const { mechanism, store, withDeadline } = this.#parts;
    const { tabs } = this.#modules;
    if (mechanism.load) {
      const known = store.state.signedIn;
      const stored = await withDeadline(tabs.stored.load(known), signal);
      // Another tab may have refreshed the tokens.
      if (store.state.signedIn === known) tabs.stored.adopt(stored);
    }
    signal.throwIfAborted();
    const before = store.state.signedIn!;
    const signedIn = { ...this.#readResult(result, before), answers: (before.answers ?? 0) + 1 };
    // First: the session's own listener must not take this for another tab's answer.
    this.#answers = signedIn.answers;
    store.dispatch({ type: 'credential-replaced', signedIn });
    this.#version = store.state.credentialVersion;
    onReplaced();
    if (mechanism.save) await tabs.writes.storeRefreshed(before, signedIn);
    else if (mechanism.browserManaged) tabs.postAnswered(signedIn);
  }

  /** @throws InvalidCredentialError when it is no credential, or another user's. */
  #readResult(result: unknown, before: SignedIn<Credential, User>): SignedIn<Credential, User> {
    const { mechanism } = this.#parts;
    if (!this.#bringsCredential(result)) return before;
    try {
      const { credential, subject } = mechanism.readAnswer!(result, before);
      if (subject === before.subject) return { ...before, credential };
    } catch (error) {
      if (!(error instanceof SessionExpiredError)) throw error;
    }
    throw new InvalidCredentialError(OTHER_USER);
  }
}
