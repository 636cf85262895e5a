import type { Middleware } from '@data-client/react';
import { responseOf } from './readAction.js';

/** Shows a toast when a change has succeeded or failed. */
export class ToastManager {
  readonly #toast: (text: string) => void;

  constructor(toast: (text: string) => void) {
    this.#toast = toast;
  }

  middleware: Middleware = () => next => action => {
    const response = responseOf(action);
    if (response?.isWrite) this.#toast(`${response.name} ${response.error ? 'failed' : 'succeeded'}`);
    return next(action);
  };

  cleanup() {}
}
