import { keepIfEqual } from '../keepIfEqual.js';
import { addListener, notifyListeners } from '../notifyListeners.js';
import { QUIET, type ClockState } from './RunningClock.js';

/** Holds what components see of a clock, and calls them when a field changes. */
export class ClockStore {
  readonly #listeners = new Set<() => void>();
  #current = QUIET;

  /** The same object until a field changes. */
  get current(): ClockState {
    return this.#current;
  }

  subscribe(listener: () => void): () => void {
    return addListener(this.#listeners, listener);
  }

  set(next: ClockState): void {
    const before = this.#current;
    this.#current = keepIfEqual(before, next);
    if (this.#current !== before) notifyListeners(this.#listeners);
  }
}
