import { http } from 'msw';
import { ownApi } from './setupCookieApp.js';
import type { StoryStart } from './StoryStart.js';

let release = () => {};
let waiting = 0;

/** Holds answers with a CSRF token back until `release()`. `start` is a story's `beforeEach`. */
export const csrfGate = {
  /** How many fetches of the token have arrived. */
  get waiting() {
    return waiting;
  },
  release: () => release(),
  start: (({ msw }) => {
    waiting = 0;
    const released = new Promise<void>(resolve => (release = resolve));
    msw.use(
      http.get(`${ownApi}/csrf`, async () => {
        waiting += 1;
        await released;
      }),
    );
  }) satisfies StoryStart,
};
