/** How long the journal waits for a status after a request has ended. msw reports none for a mocked network error. */
const STATUS_GRACE_MS = 50;

interface PendingAnswer {
  promise: Promise<void>;
  resolve: () => void;
  grace?: ReturnType<typeof setTimeout>;
}

/** The requests without an answer, by msw's id. */
export class PendingAnswers {
  #answers = new Map<string, PendingAnswer>();

  get isEmpty(): boolean {
    return this.#answers.size === 0;
  }

  open(id: string): void {
    let resolve!: () => void;
    const promise = new Promise<void>(done => (resolve = done));
    this.#answers.set(id, { promise, resolve });
  }

  close(id: string): void {
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    clearTimeout(answer?.grace);
    answer?.resolve();
  }

  closeAll(): void {
    for (const id of this.#answers.keys()) this.close(id);
  }

  /** Calls `onMissing` when the request's status has not arrived within the grace period. */
  awaitStatus(id: string, onMissing: () => void): void {
    const answer = this.#answers.get(id);
    if (answer && !answer.grace) answer.grace = setTimeout(onMissing, STATUS_GRACE_MS);
  }

  /** Resolves when every request that is open now has been closed. */
  async closed(): Promise<void> {
    await Promise.all([...this.#answers.values()].map(answer => answer.promise));
  }
}
