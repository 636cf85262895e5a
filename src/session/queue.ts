import { IdentityChangedError } from '../errors.js';

/** Whose request it is: one of the session's own writers, or an answer of the user to the server. A request without a role is of its user. */
export type Role = 'login' | 'check' | 'refresh' | 'logout' | 'challenge';

interface QueueOptions {
  /** A writer that was superseded while it waited does not run. */
  readonly signal?: AbortSignal | undefined;
  /** True: does not wait for the earlier ones; the later ones wait for it. @default false */
  readonly isFree?: boolean | undefined;
}

export type Queue = ReturnType<typeof createQueue>;

/** Runs the logins and logouts of this page one after the other. The last login wins. */
export function createQueue() {
  /** Resolves when all writers of the queue have ended. */
  let last: Promise<unknown> = Promise.resolve();
  let size = 0;
  let superseded = new AbortController();
  let disposed = new AbortController();

  return {
    /** True while a login or logout runs, or waits for its turn. */
    get isBusy(): boolean {
      return size > 0;
    },
    /** Resolves when no login or logout runs any more. */
    async idle(): Promise<void> {
      while (size > 0) await last;
    },
    /** Runs a writer after the earlier ones. */
    run<T>(writer: () => Promise<T>, { signal, isFree }: QueueOptions = {}): Promise<T> {
      size++;
      const { signal: end } = disposed;
      const start = () => {
        end.throwIfAborted();
        signal?.throwIfAborted();
        return writer();
      };
      // In a task of its own: what disposes of the session right after the call stops it.
      const result = (isFree ? Promise.resolve() : last).then(start);
      const ended = () => void size--;
      last = Promise.all([last, result.then(ended, ended)]);
      return result;
    },
    /** The next login or logout was called: a login before it counts no longer. Returns the signal of the new one. */
    supersede(): AbortSignal {
      superseded.abort(new IdentityChangedError('Another login or logout was started after this one, and it wins.'));
      superseded = new AbortController();
      return superseded.signal;
    },
    /** The login under way counts no longer. */
    cancel: (reason: Error): void => superseded.abort(reason),
    /** The writers under way count no longer, and those that wait do not run. */
    dispose(reason: Error): void {
      superseded.abort(reason);
      disposed.abort(reason);
      disposed = new AbortController();
    },
    /** Aborted when the session is disposed of. */
    get disposedSignal(): AbortSignal {
      return disposed.signal;
    },
  };
}
