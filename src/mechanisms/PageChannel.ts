import { unref } from '../clock.js';
import { tryOrUndefined } from './tryOrUndefined.js';

/**
 * A BroadcastChannel to the other pages of this origin. Some pages have none: in an old browser, or in Firefox with storage denied, where
 * the constructor throws.
 */
export class PageChannel {
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
