import type { BoundSession } from '../endpoints/boundSession.js';
import { RestEndpoint } from '../endpoints/RestEndpoint.js';
import type { SessionSnapshot } from '../session/session.js';
import type {
  AskedQuestion,
  Permission,
  PermissionAnswer,
  PermissionAnswers,
  PermissionQuestion,
  PermissionWatcher,
} from './PermissionAnswers.js';
import type { PermissionsOptions } from './PermissionAnswers.js';
import { toQuestion } from './toQuestion.js';

const ALLOWED: Permission = { status: 'allowed' };
const DENIED: Permission = { status: 'denied' };
const PENDING: Permission = { status: 'pending' };

/** The answers of the server for one user. */
interface UserAnswers {
  readonly epoch: number;
  readonly user: unknown;
  readonly known: Map<string, Permission>;
  /** Allowed, and refused with a 403 since. Asked again at the next occasion; known until the new answer comes. */
  readonly doubted: Set<string>;
  /** What is asked with the next request. */
  readonly wanted: Map<string, PermissionQuestion>;
  /** What a request under way asks. */
  readonly asking: Set<string>;
}

/** Asks, remembers and shares the answers for one session. */
export class SessionPermissions implements PermissionAnswers {
  readonly #bound: BoundSession;
  readonly #fromUser: PermissionsOptions<unknown>['fromUser'];
  readonly #ask: ((questions: readonly PermissionQuestion[], user: unknown) => Promise<unknown>) | undefined;
  readonly #watchers = new Set<PermissionWatcher>();
  #unsubscribe: (() => void) | undefined;
  #answers: UserAnswers | undefined;

  constructor(bound: BoundSession, { fromUser, ask }: PermissionsOptions<unknown>) {
    this.#bound = bound;
    this.#fromUser = fromUser;
    this.#ask = ask && withSession(ask, bound);
  }

  read(asked: AskedQuestion): Permission {
    return this.#read(asked, this.#bound.session.getSnapshot());
  }

  readOnServer(asked: AskedQuestion): Permission {
    return this.#read(asked, this.#bound.session.getServerSnapshot());
  }

  #read(asked: AskedQuestion, { status, epoch, user }: SessionSnapshot): Permission {
    const question = toQuestion(asked);
    if (!question || status === 'restoring') return PENDING;
    const answer = this.#readUser(question, asked, user);
    if (answer !== undefined) return toPermission(answer);
    if (!this.#ask || status === 'anonymous') return DENIED;
    return this.#currentAnswers(epoch, user)?.known.get(keyOf(question)) ?? PENDING;
  }

  /** The answers, if they are for this user as the server describes them now. While a component watches, `#onSession` replaces older ones. */
  #currentAnswers(epoch: number, user: unknown): UserAnswers | undefined {
    const answers = this.#answers;
    if (answers?.epoch !== epoch) return undefined;
    return this.#watchers.size > 0 || isEqual(answers.user, user) ? answers : undefined;
  }

  ask(questions: readonly AskedQuestion[]): void {
    this.#want(questions, key => !isAnswered(this.#answers?.known.get(key)) || this.#answers!.doubted.has(key));
  }

  onForbidden(asked: AskedQuestion): void {
    const { session } = this.#bound;
    const { epoch, user } = session.getSnapshot();
    const question = toQuestion(asked);
    if (!question) return;
    const fromUser = this.#readUser(question, asked, user);
    // A session without an endpoint for its user rejects: then the answer stays, and the row says why the server refused.
    if (fromUser !== undefined && toPermission(fromUser).status === 'allowed') session.reload().catch(() => {});
    const key = keyOf(question);
    const answers = this.#currentAnswers(epoch, user);
    if (answers?.known.get(key)?.status !== 'allowed') return;
    // A locked session asks when it is unlocked.
    answers.doubted.add(key);
    this.ask([asked]);
  }

  watch(watcher: PermissionWatcher): () => void {
    if (this.#watchers.size === 0) {
      const { epoch, user } = this.#bound.session.getSnapshot();
      this.#answers = this.#currentAnswers(epoch, user);
      this.#unsubscribe = this.#bound.session.subscribe(this.#onSession);
    }
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#unsubscribe?.();
    };
  }

  #readUser(question: PermissionQuestion, { on, record }: AskedQuestion, user: unknown): PermissionAnswer | undefined {
    return this.#fromUser?.(question, user, record ?? (typeof on === 'object' ? on : undefined));
  }

  readonly #onSession = (): void => {
    const { epoch, user } = this.#bound.session.getSnapshot();
    const watchers = [...this.#watchers];
    // With other data about the user, the answers may be others. Those on the screen stay until the new ones come.
    if (this.#answers?.epoch === epoch && !isEqual(this.#answers.user, user)) {
      const { known } = this.#answers;
      this.#answers = newAnswers(epoch, user);
      for (const watcher of watchers) this.#want(watcher.getQuestions(), () => true);
      for (const key of this.#answers.wanted.keys()) this.#answers.known.set(key, known.get(key) ?? PENDING);
    }
    for (const watcher of watchers) {
      this.ask(watcher.getQuestions());
      watcher.onChange();
    }
  };

  /** Asks all that is not known to the components on the screen, with one request. */
  readonly #askAll = (): void => {
    for (const watcher of this.#watchers) this.ask(watcher.getQuestions());
  };

  /** Sends the questions in a microtask: all components of one render ask before it. */
  #want(questions: readonly AskedQuestion[], isWanted: (key: string) => boolean): void {
    const { status, epoch, user } = this.#bound.session.getSnapshot();
    if (!this.#ask || status !== 'authenticated') return;
    const answers = (this.#answers = this.#currentAnswers(epoch, user) ?? newAnswers(epoch, user));
    const wasEmpty = answers.wanted.size === 0;
    for (const asked of questions) {
      const question = toQuestion(asked);
      if (!question || this.#readUser(question, asked, user) !== undefined) continue;
      const key = keyOf(question);
      if (isWanted(key) && !answers.asking.has(key)) answers.wanted.set(key, question);
    }
    if (wasEmpty && answers.wanted.size > 0) queueMicrotask(() => void this.#send(answers));
  }

  async #send(answers: UserAnswers): Promise<void> {
    const { session } = this.#bound;
    const asked = [...answers.wanted];
    answers.wanted.clear();
    if (answers.epoch !== session.getSnapshot().epoch) return;
    for (const [key] of asked) answers.asking.add(key);
    // A 403 from now on doubts the answer again.
    const doubted = asked.filter(([key]) => answers.doubted.delete(key));
    let found: readonly Permission[];
    try {
      const questions = asked.map(([, question]) => question);
      found = readAnswers(await this.#ask!(questions, answers.user), questions.length);
    } catch (error) {
      for (const [key] of doubted) answers.doubted.add(key);
      const unavailable: Permission = { status: 'unavailable', error: error as Error, retry: this.#askAll };
      found = asked.map(([key]) => {
        const known = answers.known.get(key);
        return known && isAnswered(known) ? known : unavailable;
      });
    }
    asked.forEach(([key], index) => {
      answers.asking.delete(key);
      answers.known.set(key, found[index]!);
    });
    if (answers === this.#answers) for (const watcher of [...this.#watchers]) watcher.onChange();
  }
}

function isEqual(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

function newAnswers(epoch: number, user: unknown): UserAnswers {
  return { epoch, user, known: new Map(), doubted: new Set(), wanted: new Map(), asking: new Set() };
}

function isAnswered(permission: Permission | undefined): boolean {
  return permission?.status === 'allowed' || permission?.status === 'denied';
}

function withSession(ask: NonNullable<PermissionsOptions<unknown>['ask']>, bound: BoundSession) {
  if (!(ask instanceof RestEndpoint)) return ask as (questions: readonly PermissionQuestion[]) => Promise<unknown>;
  const endpoint = ask.extend({ session: bound.session, boundSession: bound } as object) as (
    body: object,
  ) => Promise<unknown>;
  return (questions: readonly PermissionQuestion[]) => endpoint({ questions });
}

/** @throws TypeError when the server has answered something else than one answer for each question. */
function readAnswers(answers: unknown, count: number): readonly Permission[] {
  if (Array.isArray(answers) && answers.length === count && answers.every(isAnswer)) return answers.map(toPermission);
  const found = Array.isArray(answers) ? `${answers.length} answers` : `a value of type ${typeof answers}`;
  const error = new TypeError(
    `The permissions of ${count} questions were answered with ${found}. Return an array with true, false or { allowed, reason } for each question, in the same order; a RestEndpoint can do it in \`process\`.`,
  );
  console.error(error);
  throw error;
}

function isAnswer(answer: unknown): answer is PermissionAnswer {
  return typeof (answer as { allowed?: unknown } | null)?.allowed === 'boolean' || typeof answer === 'boolean';
}

function toPermission(answer: PermissionAnswer): Permission {
  const { allowed, reason } = typeof answer === 'boolean' ? { allowed: answer } : answer;
  if (allowed) return ALLOWED;
  // React cannot show an object, which a server may send in spite of the type.
  return typeof reason === 'string' ? { status: 'denied', reason } : DENIED;
}

function keyOf({ action, on, field }: PermissionQuestion): string {
  return JSON.stringify([action, on?.type, on?.id, field]);
}
