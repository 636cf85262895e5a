import type { Controller, EndpointInterface, Middleware } from '@data-client/react';

const RECONNECT_MS = 1_000;

/**
 * Writes what the server sends into the store.
 *
 * @see https://dataclient.io/docs/concepts/managers#middleware-data-stream
 */
export class StreamManager {
  #controller: Controller | undefined;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly open: () => WebSocket | undefined,
    private readonly endpoint: EndpointInterface,
  ) {}

  middleware: Middleware = controller => {
    this.#controller = controller;
    return next => next;
  };

  /** The name in data-client 0.10. */
  getMiddleware() {
    return this.middleware;
  }

  init() {
    this.#connect();
  }

  cleanup() {
    clearTimeout(this.#timer);
    if (!this.#socket) return;
    this.#socket.onclose = null;
    this.#socket.close();
  }

  #connect() {
    this.#socket = this.open();
    if (!this.#socket) return this.#connectLater();
    this.#socket.onclose = () => this.#connectLater();
    this.#socket.onmessage = ({ data }) => {
      const record: unknown = JSON.parse(data as string);
      void this.#controller?.setResponse(this.endpoint, record, record);
    };
  }

  #connectLater() {
    this.#timer = setTimeout(() => this.#connect(), RECONNECT_MS);
  }
}
