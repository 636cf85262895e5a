import type { Controller, EndpointInterface, Middleware } from '@data-client/react';

/** Writes the time into the store, each second. The timer starts in `init()`: a render that React discards starts none. */
export class ClockManager {
  readonly #clock: EndpointInterface;
  #controller: Controller | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(clock: EndpointInterface) {
    this.#clock = clock;
  }

  middleware: Middleware = controller => {
    this.#controller = controller;
    return next => next;
  };

  init() {
    this.#tick();
    this.#timer = setInterval(this.#tick, 1_000);
  }

  cleanup() {
    clearInterval(this.#timer);
  }

  readonly #tick = () => void this.#controller?.setResponse(this.#clock, { time: new Date().toLocaleTimeString('en') });
}
