import type { AnsweredCredential } from './answeredCredential.js';
import type { AnswerValues, AuthChallenge } from './challenge.js';
import { classifyRefusal } from '../requests/classifyRefusal.js';
import { responseOf } from '../requests/responseOf.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import type { StepUpOptions } from './stepUp.js';
import { parseWwwAuthenticate } from './wwwAuthenticate.js';

const NO_ANSWER =
  'This session cannot answer a challenge: give stepUp() the option `answer`, a function that sends what the user has typed.';

/** The server says that the token has expired (RFC 6750, section 3.1). */
const isInvalidToken = ({ headers }: Response) =>
  parseWwwAuthenticate(headers.get('WWW-Authenticate')).some(({ params }) => params.error === 'invalid_token');

/** Sends the user's answer to the server. */
export class ChallengeAnswer<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: SessionModules<Credential, User>;
  readonly #answer: StepUpOptions['answer'];
  readonly #answered: AnsweredCredential<Credential, User>;

  /** @throws TypeError when nothing can answer. */
  constructor(
    parts: SessionParts<Credential, User>,
    modules: SessionModules<Credential, User>,
    answer: StepUpOptions['answer'],
    answered: AnsweredCredential<Credential, User>,
  ) {
    if (!answer && !parts.mechanism.answerChallenge) throw new TypeError(NO_ANSWER);
    this.#parts = parts;
    this.#modules = modules;
    this.#answer = answer;
    this.#answered = answered;
  }

  /** @param signal Aborted when the challenge is closed. */
  async send(values: AnswerValues, challenge: AuthChallenge, signal: AbortSignal): Promise<void> {
    const { mechanism, onWire } = this.#parts;
    const { credential, authCalls, requestGuard } = this.#modules;
    // Without an answer of the app, an SDK asks the user itself, and may need the user's click for its window.
    if (!this.#answer) return this.#answered.replace(await mechanism.answerChallenge!(challenge, signal), signal);
    await credential.getUsable();
    await authCalls.settled();
    // The cookie may be another user's by now.
    await requestGuard.waitForCheck({ signal });
    const onTheWire = {};
    // The answer may replace the cookie and its CSRF token.
    if (mechanism.browserManaged) onWire.enter(onTheWire);
    try {
      const result = await authCalls.sendAfterwards(() => this.#sendToServer(values, challenge, signal), signal);
      if (mechanism.browserManaged) await credential.sync();
      signal.throwIfAborted();
      await this.#answered.replace(result, signal);
    } finally {
      onWire.leave(onTheWire);
    }
  }

  /** Returns the result of the login. Nothing aborts it, like every login: the server may have signed the user in already. */
  sendInLogin(
    values: AnswerValues,
    challenge: AuthChallenge,
    run = (send: () => Promise<unknown>) => this.#parts.runAuthCall('login', send),
  ): Promise<unknown> {
    return run(() => this.#callApp(values, challenge));
  }

  /**
   * Sends the answer as an auth call. A refused credential is refreshed. The answer is sent again only if the server clearly
   * refused the credential, and not the answer: a second wrong code could lock the user out. Else the next answer has the fresh one.
   */
  async #sendToServer(values: AnswerValues, challenge: AuthChallenge, signal: AbortSignal): Promise<unknown> {
    const { mechanism, runAuthCall, store } = this.#parts;
    const { recheck, refresh, requestGuard } = this.#modules;
    const { credentialVersion } = store.state;
    const send = () =>
      runAuthCall('challenge', () => this.#callApp(values, challenge), { credential: store.getCredential(), signal });
    try {
      return await send();
    } catch (error) {
      const response = responseOf(error);
      const { refreshOn = 'unauthorized' } = mechanism;
      if (!response || !mechanism.refresh || (await classifyRefusal(mechanism, response)) !== refreshOn) throw error;
      if (store.state.credentialVersion === credentialVersion) await refresh.refresh();
      recheck.requireCheck('refused');
      await requestGuard.waitForCheck({ signal });
      if (refreshOn === 'csrf-rejected' || isInvalidToken(response)) return send();
      throw error;
    }
  }

  /** An endpoint gets the values alone: it would take a first argument of two for its params, and put them in the address. */
  async #callApp(values: AnswerValues, challenge: AuthChallenge): Promise<unknown> {
    const answer = this.#answer as (...args: unknown[]) => Promise<unknown>;
    return 'key' in answer ? answer(values) : answer(values, challenge);
  }
}
