import { untilAborted } from '../../clock.js';
import type { SubjectSource } from './sdkSignIn.js';

/** See `SdkSessionOptions.subject`. */
export type SdkSubjectResult = string | null | undefined;
type Ask = () => SdkSubjectResult | Promise<SdkSubjectResult>;
type Subscribe = (listener: () => void) => () => void;

/** Asks an SDK who its user is, and listens to its changes. */
export class SdkSubject implements SubjectSource {
  readonly #ask: Ask;
  readonly #subscribe: Subscribe | undefined;
  readonly #waiting = new Set<() => void>();
  #unsubscribe: (() => void) | undefined;
  #onSubject: (subject: string | null) => void = () => {};
  /** The answer that `read` could not wait for. */
  #unread: Promise<SdkSubjectResult> | undefined;
  #changes = 0;
  #wasAsked = false;

  constructor(ask: Ask, subscribe: Subscribe | undefined) {
    this.#ask = ask;
    this.#subscribe = subscribe;
  }

  read(): SdkSubjectResult {
    const result = this.#ask();
    if (!(result instanceof Promise)) return result;
    // `find` has the failure.
    result.catch(() => {});
    this.#unread = result;
    return undefined;
  }

  /** True if `find` was called: a check for an existing session has started. */
  get wasAsked(): boolean {
    return this.#wasAsked;
  }

  async find(signal?: AbortSignal): Promise<string | null> {
    this.#wasAsked = true;
    this.#listen();
    const unlessAborted = <T>(promise: Promise<T>) => (signal ? untilAborted(signal, promise) : promise);
    for (;;) {
      // Before the question: the SDK may change its mind while it answers.
      let wake!: () => void;
      const changed = new Promise<undefined>(resolve => (wake = () => resolve(undefined)));
      this.#waiting.add(wake);
      const answer = this.#unread ?? this.#ask();
      this.#unread = undefined;
      try {
        const subject = await unlessAborted(Promise.race([answer, changed]));
        if (subject !== undefined) return subject;
        await unlessAborted(changed);
      } finally {
        this.#waiting.delete(wake);
      }
    }
  }

  /** Calls back with the subject that the SDK reports after a change; the latest report wins. */
  listen(onSubject: (subject: string | null) => void): void {
    this.#onSubject = onSubject;
    this.#listen();
  }

  /** Ends the subscription to the SDK. The next `find` starts it again. */
  close(): void {
    this.#changes++;
    this.#unsubscribe = void this.#unsubscribe?.();
  }

  #listen(): void {
    this.#unsubscribe ??= this.#subscribe?.(() => void this.#onChange().catch(() => {}));
  }

  async #onChange(): Promise<void> {
    const change = ++this.#changes;
    const answer = this.#ask();
    // A `find` under way takes this answer: that to its own question may be older.
    this.#unread = this.#waiting.size > 0 && answer instanceof Promise ? answer : undefined;
    for (const wake of this.#waiting) wake();
    // A known answer counts at once: a sign-out must not wait for a microtask.
    const subject = answer instanceof Promise ? await answer : answer;
    if (subject !== undefined && change === this.#changes) this.#onSubject(subject);
  }
}
