import { IdentityChangedError } from '../../errors.js';

/** The login or logout that was called last: it wins, and the waits of earlier ones end. */
export class LatestAuthCall {
  #superseded = new AbortController();
  #name: 'login' | 'logout' | undefined;

  get isLogout(): boolean {
    return this.#name === 'logout';
  }

  /** @returns a signal that the next login or logout aborts. */
  start(name: 'login' | 'logout'): AbortSignal {
    this.end(new IdentityChangedError('Another login or logout was started after this one, and it wins.'));
    this.#name = name;
    return this.#superseded.signal;
  }

  end(reason: Error): void {
    const before = this.#superseded;
    this.#superseded = new AbortController();
    before.abort(reason);
  }
}
