import { unref, type Clock } from '../clock.js';
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
  readonly #channel: PageChannel;

  constructor(address: string, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
    this.#channel = new PageChannel(address);
  }

  /** Starts to receive messages. Returns the function that stops it. */
  listen(receive: (message: unknown) => void): () => void {
    return this.#channel.open(receive) ?? listenToStorage(this.#address, receive);
  }

  post(message: object): void {
    if (this.#channel.post(message)) return;
    // Without the time, the same message twice would be no change.
    const text = JSON.stringify({ ...message, now: this.#clock.now() });
    // Denied or full: other tabs get no message.
    tryOrUndefined(() => globalThis.localStorage.setItem(this.#address, text));
  }
}

/** Calls back with the messages that other pages write to web storage under this key. Returns the function that stops it. */
function listenToStorage(address: string, receive: (message: unknown) => void): () => void {
  const read = ({ key, newValue }: StorageEvent) => {
    // Another program may have written a text that is no JSON.
    if (key === address && newValue !== null) receive(tryOrUndefined(() => JSON.parse(newValue) as unknown));
  };
  globalThis.addEventListener?.('storage', read);
  return () => globalThis.removeEventListener?.('storage', read);
}

/**
 * A BroadcastChannel to the other pages of this origin. Some pages have none: in an old browser, or in Firefox with storage denied, where
 * the constructor throws.
 */
class PageChannel {
  readonly #address: string;
  #opened: BroadcastChannel | undefined;

  constructor(address: string) {
    this.#address = address;
  }

  /** Opens the channel. Returns the function that closes it; undefined if the page has none. */
  open(receive?: (message: unknown) => void): (() => void) | undefined {
    const opened = (this.#opened = this.#create());
    if (!opened) return undefined;
    if (receive) opened.onmessage = ({ data }) => receive(data);
    unref(opened);
    return () => {
      opened.close();
      this.#opened = undefined;
    };
  }

  /** Returns false if the page has no channel. */
  post(message: object): boolean {
    // Use the open channel. A second channel would send the message to this page too.
    const sender = this.#opened ?? this.#create();
    sender?.postMessage(message);
    if (sender !== this.#opened) sender?.close();
    return sender !== undefined;
  }

  #create(): BroadcastChannel | undefined {
    return tryOrUndefined(() => new BroadcastChannel(this.#address));
  }
}
