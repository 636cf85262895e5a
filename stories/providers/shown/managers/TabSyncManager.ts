import type { Controller, Middleware } from '@data-client/react';
import { responseOf } from './readAction.js';

/** After a change in one tab, the other tabs of the same user fetch again what they show. */
export class TabSyncManager {
  readonly #name: string;
  #channel: BroadcastChannel | undefined;
  #controller: Controller | undefined;

  constructor(user: string) {
    this.#name = `changes of ${user}`;
  }

  middleware: Middleware = controller => {
    this.#controller = controller;
    return next => action => {
      const response = responseOf(action);
      if (response?.isWrite && !response.error) this.#channel?.postMessage('changed');
      return next(action);
    };
  };

  init() {
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = () => void this.#controller?.expireAll({ testKey: () => true });
  }

  cleanup() {
    this.#channel?.close();
  }
}
