import type { AuthChallenge, AnswerValues, LoginWithChallenges } from './challenge.js';
import type { ChallengeAnswer } from './challengeAnswer.js';
import type { ChallengeList } from './challengeList.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import { responseOf } from '../requests/responseOf.js';
import { readChallenge } from './readChallenge.js';
import type { StepUpOptions } from './stepUp.js';

interface LoginChallengesContext<Credential, User> {
  readonly answer: ChallengeAnswer<Credential, User>;
  readonly list: ChallengeList;
  readonly options: StepUpOptions;
}

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'authCalls'>;

/** Lets logins wait for the further factors that the server wants. */
export class LoginChallenges<Credential, User> {
  readonly #parts: Pick<SessionParts<Credential, User>, 'withDeadline'>;
  readonly #modules: Modules<Credential, User>;
  readonly #context: LoginChallengesContext<Credential, User>;

  constructor(
    parts: Pick<SessionParts<Credential, User>, 'withDeadline'>,
    modules: Modules<Credential, User>,
    context: LoginChallengesContext<Credential, User>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#context = context;
  }

  /** See `Challenges.startLogin`. */
  start(): LoginWithChallenges {
    const superseded = this.#modules.authCalls.signIn.signal;
    const { readLoginResult } = this.#context.options;
    return async (login, run) => {
      let { result, challenge } = await this.#sendFirstFactor(login);
      while (challenge) {
        result = await this.#ask(challenge, superseded, run);
        challenge = readLoginResult?.(result);
      }
      return result;
    };
  }

  async #sendFirstFactor(
    login: () => Promise<unknown>,
  ): Promise<{ result?: unknown; challenge?: AuthChallenge | undefined }> {
    const { options } = this.#context;
    try {
      const result = await login();
      return { result, challenge: options.readLoginResult?.(result) };
    } catch (error) {
      const response = responseOf(error);
      const challenge = response && (await readChallenge(response, options, this.#parts.withDeadline));
      if (!challenge) throw error;
      return { challenge };
    }
  }

  /**
   * Returns the result of the answer. When the challenge is closed while an answer is on the wire, the server may still sign the user in,
   * so this settles as that answer does: the caller of the login no longer waits for it.
   */
  async #ask(
    challenge: AuthChallenge,
    superseded: AbortSignal,
    run: Parameters<LoginWithChallenges>[1],
  ): Promise<unknown> {
    superseded.throwIfAborted();
    const { answer, list } = this.#context;
    const asked = { ...challenge, isLogin: true };
    let sent: Promise<unknown> | undefined;
    const send = (values: AnswerValues) => {
      sent = answer.sendInLogin(values, asked, run);
      sent.catch(() => (sent = undefined));
      return sent;
    };
    try {
      const outcome = await list.open(asked, superseded, send).waiting.wait(superseded);
      return outcome.isElsewhere ? undefined : outcome.result;
    } catch (error) {
      if (!sent) throw error;
      if (!superseded.aborted) this.#modules.authCalls.signIn.cancel(error as Error);
      return sent;
    }
  }
}
