import type { Controller, EndpointInterface, Middleware } from '@data-client/react';

/** The part of a `WebSocket` or an `EventSource` that the manager uses. */
export interface MessageSource {
  onmessage: ((event: { data: string }) => void) | null;
  close(): void;
}

/** Writes the records that a server sends into the store. */
export class StreamManager {
  readonly #open: () => MessageSource;
  readonly #read: EndpointInterface;
  #controller: Controller | undefined;
  #source: MessageSource | undefined;

  /** @param read The endpoint whose response each message is: the read of one record. */
  constructor(open: () => MessageSource, read: EndpointInterface) {
    this.#open = open;
    this.#read = read;
  }

  middleware: Middleware = controller => {
    this.#controller = controller;
    return next => next;
  };

  init() {
    this.#source = this.#open();
    this.#source.onmessage = ({ data }) => {
      const record = JSON.parse(data) as { id: string };
      void this.#controller?.setResponse(this.#read, { id: record.id }, record);
    };
  }

  cleanup() {
    this.#source?.close();
  }
}
