import type { Middleware } from '@data-client/react';

/** Logs each action after the store has applied it. */
export class LoggingManager {
  readonly #log: (line: string) => void;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  middleware: Middleware = () => next => async action => {
    await next(action);
    this.#log(action.type);
  };

  cleanup() {}
}
