import type { Controller, EndpointInterface, Middleware } from '@data-client/react';
import { responseOf } from './readAction.js';

/**
 * Stores the last response of some reads without params of one user, shows it when the page is loaded again, and fetches it again. A sign-out, an
 * expiry and another user's sign-in remove it.
 */
export class PersistManager {
  readonly #storageKey: string;
  readonly #reads: readonly EndpointInterface[];
  #controller: Controller | undefined;

  constructor(user: string, reads: readonly EndpointInterface[]) {
    this.#storageKey = `saved for ${user}`;
    this.#reads = reads;
  }

  middleware: Middleware = controller => {
    this.#controller = controller;
    return next => action => {
      const response = responseOf(action);
      if (response && !response.error && this.#reads.some(read => read.key() === response.key))
        localStorage.setItem(this.#storageKey, JSON.stringify({ ...this.#saved(), [response.key]: response.data }));
      return next(action);
    };
  };

  init() {
    const saved = this.#saved();
    for (const read of this.#reads) {
      if (read.key() in saved) void this.#controller?.setResponse(read, saved[read.key()]);
    }
    void this.#controller?.expireAll({ testKey: () => true });
  }

  /** The provider calls it when the identity ends. A reload does not, so that the data is there when the page comes back. */
  cleanup() {
    localStorage.removeItem(this.#storageKey);
  }

  #saved() {
    return JSON.parse(localStorage.getItem(this.#storageKey) ?? '{}') as Record<string, unknown>;
  }
}
