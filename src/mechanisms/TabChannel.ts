import type { Clock } from '../clock.js';
import { openChannel } from './openChannel.js';
import { tryOrUndefined } from './tryOrUndefined.js';

/**
 * Messages between the tabs of one origin: by BroadcastChannel, else through `localStorage`, of which other tabs get an event for every
 * change. If a page has neither, no messages arrive.
 *
 * @see https://html.spec.whatwg.org/multipage/web-messaging.html#broadcasting-to-other-browsing-contexts
 */
export class TabChannel {
  readonly #address: string;
  readonly #clock: Clock;
  #opened: BroadcastChannel | undefined;

  constructor(address: string, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
  }

  /** Starts to receive messages. Returns the function that stops it. */
  listen(receive: (message: unknown) => void): () => void {
    const opened = (this.#opened = openChannel(this.#address));
    if (!opened) return listenToStorage(this.#address, receive);
    opened.onmessage = ({ data }) => receive(data);
    return () => {
      opened.close();
      this.#opened = undefined;
    };
  }

  post(message: object): void {
    // Use the open channel. A second channel would send the message to this tab too.
    const sender = this.#opened ?? openChannel(this.#address);
    if (!sender) {
      // Without the time, the same message twice would be no change.
      const text = JSON.stringify({ ...message, now: this.#clock.now() });
      // Denied or full: other tabs get no message.
      tryOrUndefined(() => globalThis.localStorage.setItem(this.#address, text));
      return;
    }
    sender.postMessage(message);
    if (sender !== this.#opened) sender.close();
  }
}

function listenToStorage(address: string, receive: (message: unknown) => void): () => void {
  const read = ({ key, newValue }: StorageEvent) => {
    // Another program may have written a text that is no JSON.
    if (key === address && newValue !== null) receive(tryOrUndefined(() => JSON.parse(newValue) as unknown));
  };
  globalThis.addEventListener?.('storage', read);
  return () => globalThis.removeEventListener?.('storage', read);
}
