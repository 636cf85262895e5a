import { InvalidCredentialError, SessionExpiredError } from '../errors.js';
import type { AnswerValues, AuthChallenge } from './challenge.js';
import type { AuthFailure } from './credentialHandling.js';
import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';
import type { SignedIn } from './signedIn.js';
import type { StepUpOptions } from './stepUp.js';
import { parseWwwAuthenticate } from './wwwAuthenticate.js';

const NO_ANSWER =
  'This session cannot answer a challenge: give stepUp() the option `answer`, a function that sends what the user has typed.';
const OTHER_USER =
  'The answer to the challenge brought the credential of another user, so it was not used. Sign that user in instead.';

/** The server says that the token has expired (RFC 6750, section 3.1). */
const isInvalidToken = ({ headers }: Response) =>
  parseWwwAuthenticate(headers.get('WWW-Authenticate')).some(({ params }) => params.error === 'invalid_token');

/** True for the result of an endpoint whose server answered 204. */
const isNothing = (result: unknown) => result === undefined || result === null || result === '';

/** Sends the user's answer to the server, and takes over the credential that comes back. */
export class ChallengeAnswer<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: SessionModules<Credential, User>;
  readonly #answer: StepUpOptions['answer'];
  /** How many challenges of the current sign-in were answered, as far as this page knows. */
  #answers: number;
  #credentialVersion = 0;

  /** @throws TypeError when nothing can answer. */
  constructor(
    parts: SessionParts<Credential, User>,
    modules: SessionModules<Credential, User>,
    answer: StepUpOptions['answer'],
    onAnsweredElsewhere: () => void,
  ) {
    if (!answer && !parts.mechanism.answerChallenge) throw new TypeError(NO_ANSWER);
    this.#parts = parts;
    this.#modules = modules;
    this.#answer = answer;
    const { store } = parts;
    this.#answers = store.state.signedIn?.answers ?? 0;
    store.subscribeToCredential(() => {
      const { answers = 0 } = store.state.signedIn ?? {};
      const isNews = answers > this.#answers;
      this.#answers = answers;
      if (!isNews) return;
      this.#credentialVersion = store.state.credentialVersion;
      onAnsweredElsewhere();
    });
  }

  /** The version of the credential that the last answer made. */
  get credentialVersion(): number {
    return this.#credentialVersion;
  }

  /** @param signal Aborted when the challenge is closed. */
  async send(values: AnswerValues, challenge: AuthChallenge, signal: AbortSignal): Promise<void> {
    const { mechanism, onWire } = this.#parts;
    const { credential, usableCredential, authCalls } = this.#modules;
    // Without an answer of the app, an SDK asks the user itself, and may need the user's click for its window.
    if (!this.#answer) return this.#replaceCredential(await mechanism.answerChallenge!(challenge, signal), signal);
    await usableCredential.get();
    signal.throwIfAborted();
    const onTheWire = {};
    // The answer may replace the cookie and its CSRF token.
    if (mechanism.browserManaged) onWire.enter(onTheWire);
    try {
      const result = await authCalls.sendAfterwards(() => this.#sendToServer(values, challenge, signal), signal);
      if (mechanism.browserManaged) await credential.sync();
      signal.throwIfAborted();
      await this.#replaceCredential(result, signal);
    } finally {
      onWire.leave(onTheWire);
    }
  }

  /** Returns the result of the login. */
  sendInLogin(
    values: AnswerValues,
    challenge: AuthChallenge,
    signal: AbortSignal,
    run = (send: () => Promise<unknown>) => this.#parts.runAuthCall('login', send, { signal }),
  ): Promise<unknown> {
    return run(() => this.#callApp(values, challenge));
  }

  /**
   * Sends the answer as an auth call. A refused credential is refreshed. The answer is sent again only if the server clearly
   * refused the credential, and not the answer: a second wrong code could lock the user out. Else the next answer has the fresh one.
   */
  async #sendToServer(values: AnswerValues, challenge: AuthChallenge, signal: AbortSignal): Promise<unknown> {
    const { mechanism, runAuthCall, store } = this.#parts;
    const { credentialVersion } = store.state;
    const send = () =>
      runAuthCall('challenge', () => this.#callApp(values, challenge), { credential: store.getCredential(), signal });
    try {
      return await send();
    } catch (error) {
      const { response } = (error ?? {}) as { response?: Response };
      const { refreshOn = 'unauthorized' } = mechanism;
      if (!response || !mechanism.refresh || (await this.#classify(response)) !== refreshOn) throw error;
      if (store.state.credentialVersion === credentialVersion) await this.#modules.refresh.refresh();
      signal.throwIfAborted();
      if (refreshOn === 'csrf-rejected' || isInvalidToken(response)) return send();
      throw error;
    }
  }

  async #classify(response: Response): Promise<AuthFailure | undefined> {
    const { classifyResponse } = this.#parts.mechanism;
    if (classifyResponse) return classifyResponse(response);
    return response.status === 401 ? 'unauthorized' : undefined;
  }

  /** An endpoint gets the values alone: it would take a first argument of two for its params, and put them in the address. */
  async #callApp(values: AnswerValues, challenge: AuthChallenge): Promise<unknown> {
    if (!this.#answer) throw new TypeError(NO_ANSWER);
    const answer = this.#answer as (...args: unknown[]) => Promise<unknown>;
    return 'key' in answer ? answer(values) : answer(values, challenge);
  }

  /** Resolves when the session has the credential. The lock is held until other tabs can read it too. */
  async #replaceCredential(result: unknown, signal: AbortSignal): Promise<void> {
    const { refresh, tabs } = this.#modules;
    // A refresh drops its tokens when the sign-in is another object than at its start.
    while (refresh.isUnderWay) await refresh.refreshAhead().catch(() => {});
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      tabs.withTabLock(() => this.#replaceUnderLock(result, signal, resolve), signal).then(resolve, reject);
    });
  }

  async #replaceUnderLock(result: unknown, signal: AbortSignal, onReplaced: () => void): Promise<void> {
    const { mechanism, store, withDeadline } = this.#parts;
    const { tabs } = this.#modules;
    if (mechanism.load && mechanism.tabs?.withLock) {
      const known = store.state.signedIn;
      const stored = await withDeadline(tabs.stored.load(known), signal);
      // Another tab has refreshed the tokens.
      if (known && store.state.signedIn === known && tabs.stored.isSuperseded(known, stored)) tabs.stored.adopt(stored);
    }
    signal.throwIfAborted();
    const before = store.state.signedIn!;
    const signedIn = { ...this.#readResult(result, before), answers: (before.answers ?? 0) + 1 };
    // First: the session's own listener must not take this for another tab's answer.
    this.#answers = signedIn.answers;
    store.dispatch({ type: 'credential-replaced', signedIn });
    this.#credentialVersion = store.state.credentialVersion;
    onReplaced();
    if (mechanism.save) await tabs.storeRefreshed(before, signedIn);
    else if (mechanism.browserManaged) tabs.postAnswered(signedIn);
  }

  /** @throws InvalidCredentialError when it is no credential, or another user's. */
  #readResult(result: unknown, before: SignedIn<Credential, User>): SignedIn<Credential, User> {
    const { mechanism } = this.#parts;
    if (isNothing(result) || !mechanism.readAnswer) return before;
    try {
      const { credential, subject } = mechanism.readAnswer(result, before);
      if (subject === before.subject) return { ...before, credential };
    } catch (error) {
      if (!(error instanceof SessionExpiredError)) throw error;
    }
    throw new InvalidCredentialError(OTHER_USER);
  }
}
