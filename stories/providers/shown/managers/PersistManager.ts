import type { EndpointInterface, Middleware } from '@data-client/react';
import { fetchOf, responseOf } from './readAction.js';

/**
 * Stores the last response of some reads without params of one user. When the page is loaded again, the first such read shows it until the
 * answer comes. A sign-out, an expiry and another user's sign-in remove it.
 */
export class PersistManager {
  readonly #storageKey: string;
  readonly #reads: readonly EndpointInterface[];

  constructor(user: string, reads: readonly EndpointInterface[]) {
    this.#storageKey = `saved for ${user}`;
    this.#reads = reads;
  }

  middleware: Middleware = controller => {
    const before = new Map(Object.entries(this.#saved()));
    const readOf = (key: string | undefined) => this.#reads.find(read => read.key() === key);
    return next => action => {
      const key = fetchOf(action)?.key;
      const read = readOf(key);
      if (read && before.has(read.key())) {
        const response = before.get(read.key());
        before.delete(read.key());
        // After the render that asks for it. It is older than any answer, so the answer replaces it.
        queueMicrotask(() => void controller.resolve(read, { args: [], response, fetchedAt: 0 }));
      }
      const response = responseOf(action);
      if (response && !response.error && readOf(response.key))
        localStorage.setItem(this.#storageKey, JSON.stringify({ ...this.#saved(), [response.key]: response.data }));
      return next(action);
    };
  };

  /** The provider calls it when the identity ends. A reload does not, so that the data is there when the page comes back. */
  cleanup() {
    localStorage.removeItem(this.#storageKey);
  }

  #saved() {
    return JSON.parse(localStorage.getItem(this.#storageKey) ?? '{}') as Record<string, unknown>;
  }
}
