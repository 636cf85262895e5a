import type { Controller, EndpointInterface, Middleware } from '@data-client/react';
import type { MessageSource } from './StreamManager.js';

const FLUSH_MS = 50;

/** Collects the records of a fast stream, and writes the newest of each id 20 times a second. */
export class BatchingStreamManager {
  readonly #open: () => MessageSource;
  readonly #read: EndpointInterface;
  readonly #newest = new Map<string, { id: string }>();
  #controller: Controller | undefined;
  #source: MessageSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

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
      this.#newest.set(record.id, record);
      this.#timer ??= setTimeout(this.#flush, FLUSH_MS);
    };
  }

  cleanup() {
    this.#source?.close();
    clearTimeout(this.#timer);
    this.#newest.clear();
  }

  readonly #flush = () => {
    this.#timer = undefined;
    for (const record of this.#newest.values())
      void this.#controller?.setResponse(this.#read, { id: record.id }, record);
    this.#newest.clear();
  };
}
