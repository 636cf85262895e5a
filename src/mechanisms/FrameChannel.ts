import { listenToStorage } from './TabChannel.js';
import { tryOrUndefined } from './tryOrUndefined.js';

/**
 * Messages between the frames of one tab that share its `sessionStorage`: each other frame gets an event for a change. Another tab gets none,
 * even if it was duplicated from this one and has a copy of the storage.
 *
 * @see https://html.spec.whatwg.org/multipage/webstorage.html#the-sessionstorage-attribute
 */
export class FrameChannel {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** Starts to receive messages. Returns the function that stops it. */
  listen(receive: (message: unknown) => void): () => void {
    return listenToStorage(this.#key, receive);
  }

  post(message: object): void {
    // Denied or full: other frames get no message.
    tryOrUndefined(() => {
      globalThis.sessionStorage.setItem(this.#key, JSON.stringify(message));
      // The event contains the text. Without the key, the same message twice is a change, too.
      globalThis.sessionStorage.removeItem(this.#key);
    });
  }
}
