import type { Middleware } from '@data-client/react';
import { responseOf } from './readAction.js';

/** Reports each failed response to an error tracker, with the user whom it failed for. */
export class ErrorReportManager {
  readonly #report: (error: Error, tags: { endpoint: string; user: string | undefined }) => void;
  readonly #user: string | undefined;

  constructor(report: (error: Error, tags: { endpoint: string; user: string | undefined }) => void, user?: string) {
    this.#report = report;
    this.#user = user;
  }

  middleware: Middleware = () => next => action => {
    const { name = '', error } = responseOf(action) ?? {};
    // A request that a change of identity has stopped is no failure. Its error has this name.
    if (error && error.name !== 'AbortError') this.#report(error, { endpoint: name, user: this.#user });
    return next(action);
  };

  cleanup() {}
}
