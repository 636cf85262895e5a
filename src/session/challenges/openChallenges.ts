import { ChallengeCancelledError } from '../../errors.js';
import { AnsweredCredential } from './answeredCredential.js';
import type { AnswerValues, AuthChallenge, Challenges, LoginWithChallenges } from './challenge.js';
import { ChallengeAnswer } from './challengeAnswer.js';
import { ChallengeList } from './challengeList.js';
import { LoginChallenges } from './loginChallenges.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import { isRepeated, readChallenge } from './readChallenge.js';
import type { RequestScope, RequestToSend } from '../requests/requestScope.js';
import type { StepUpOptions } from './stepUp.js';
import { untilUnlocked } from '../requests/untilUnlocked.js';

/** The user answers this often for one request: a server that has new `details` for each refusal could ask for ever. */
const MAX_CHALLENGES = 3;

/** Lets requests and logins wait for the answers to the challenges of the server. */
export class OpenChallenges<Credential, User> implements Challenges {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: SessionModules<Credential, User>;
  readonly #options: StepUpOptions;
  readonly #answered: AnsweredCredential<Credential, User>;
  readonly #answer: ChallengeAnswer<Credential, User>;
  readonly #list = new ChallengeList(() => this.#parts.store.isLocked);
  readonly #logins: LoginChallenges<Credential, User>;
  /** The challenges after whose answers on this page a request was sent again. */
  readonly #answeredFor = new WeakMap<RequestScope, readonly AuthChallenge[]>();
  readonly getSnapshot = this.#list.getSnapshot;
  readonly subscribe = this.#list.subscribe;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: SessionModules<Credential, User>,
    options: StepUpOptions,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#options = options;
    this.#answered = new AnsweredCredential(parts, modules, () => this.#list.finishElsewhere());
    this.#answer = new ChallengeAnswer(parts, modules, options.answer, this.#answered);
    this.#logins = new LoginChallenges(parts, modules, { answer: this.#answer, list: this.#list, options });
    parts.store.subscribeToCredential(() => this.#list.onCredential());
  }

  get isAnsweredBySdk(): boolean {
    return !this.#options.answer;
  }

  async waitForAnswer(
    scope: RequestScope,
    response: Response,
    isRefused?: RequestToSend<unknown>['isRefused'],
  ): Promise<boolean | undefined> {
    const { store } = this.#parts;
    if (!store.owner) return undefined;
    // The body of an accepted response is its caller's: it may be a stream.
    if (response.ok && !(await isRefused?.(response))) return undefined;
    const challenge = await readChallenge(response, this.#options, this.#parts.withDeadline);
    scope.signal.throwIfAborted();
    if (!challenge) return undefined;
    if (store.isLocked) {
      // The sign-in that unlocks the session may be what the server wants.
      await untilUnlocked(store, scope.signal);
      return true;
    }
    // The user has answered since the request was sent.
    if (scope.credentialVersion < this.#answered.version) return true;
    const before = this.#answeredFor.get(scope) ?? [];
    if (before.length === MAX_CHALLENGES || before.some(answered => isRepeated(answered, challenge))) return false;
    const entry = this.#join(challenge);
    try {
      const { isElsewhere } = await entry.waiting.wait(scope.signal);
      // The other tab may have answered another challenge, so this page may have to ask once more.
      if (!isElsewhere) this.#answeredFor.set(scope, [...before, entry.challenge]);
      return true;
    } finally {
      // Its callers have given up, so there is nothing to ask for.
      if (entry.waiting.size === 0 && !entry.pending) this.#list.close(entry, new ChallengeCancelledError());
    }
  }

  startLogin(): LoginWithChallenges {
    return this.#logins.start();
  }

  #join(challenge: AuthChallenge): ReturnType<ChallengeList['open']> {
    const { epochSignal } = this.#parts.store;
    const send = (values: AnswerValues, signal: AbortSignal) => this.#answer.send(values, challenge, signal);
    return this.#list.find(challenge) ?? this.#list.open(challenge, epochSignal, send);
  }
}
