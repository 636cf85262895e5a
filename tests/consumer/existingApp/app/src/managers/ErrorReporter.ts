import type { Middleware } from '@data-client/react';

let visits = 0;

/**
 * Reports to the server when a visit begins and ends, and each failed response in between.
 *
 * @see https://dataclient.io/docs/concepts/managers#middleware-logging
 */
export class ErrorReporter {
  readonly #visit = ++visits;

  middleware: Middleware = () => next => async action => {
    await next(action);
    if ('error' in action && action.error) this.#report(`failed ${action.type}`);
  };

  /** The name in data-client 0.10. */
  getMiddleware() {
    return this.middleware;
  }

  init() {
    this.#report('begins');
  }

  cleanup() {
    this.#report('ends');
  }

  #report(what: string) {
    navigator.sendBeacon('/reports', `visit ${this.#visit} ${what}`);
  }
}
