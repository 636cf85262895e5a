import type { Controller, Middleware } from '@data-client/react';

/** Fetches what is on the screen again when the user comes back to the page, or the network is back. */
export class RefreshManager {
  #controller: Controller | undefined;
  readonly #refresh = () => void this.#controller?.expireAll({ testKey: () => true });

  middleware: Middleware = controller => {
    this.#controller = controller;
    return next => next;
  };

  init() {
    window.addEventListener('focus', this.#refresh);
    window.addEventListener('online', this.#refresh);
  }

  cleanup() {
    window.removeEventListener('focus', this.#refresh);
    window.removeEventListener('online', this.#refresh);
  }
}
