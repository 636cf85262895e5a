import type { Middleware } from '@data-client/react';
import { fetchOf } from './readAction.js';

/** Measures how long each request takes, in milliseconds. */
export class MetricsManager {
  readonly #track: (endpoint: string, ms: number) => void;

  constructor(track: (endpoint: string, ms: number) => void) {
    this.#track = track;
  }

  middleware: Middleware = () => next => action => {
    const fetch = fetchOf(action);
    if (fetch) {
      const start = performance.now();
      const track = () => this.#track(fetch.name, performance.now() - start);
      fetch.done.then(track, track);
    }
    return next(action);
  };

  cleanup() {}
}
