import { http } from 'msw';
import { createGate, type Release } from '../../src/testing/index.js';
import { csrf, ownApi, type setupCookieApp } from './setupCookieApp.js';
import type { StoryStart } from './StoryStart.js';

const gate = createGate();
let release: Release | undefined;

/** Delays each answer with a CSRF token until `release()`. `start` is a story's `beforeEach`. */
export const csrfGate = {
  /** How many fetches of the token wait now. */
  get waiting() {
    return gate.held;
  },
  release: () => release?.(),
  start: (({ msw }) => {
    gate.reset();
    release = gate.hold();
    msw.use(http.get(`${ownApi}/csrf`, () => gate.pass().then(() => undefined)));
  }) satisfies StoryStart,
};

type Sent = ReturnType<typeof setupCookieApp>['sent'];

/** The lines of one rename for each id, with the CSRF token of this number. */
export const renameLines = (sent: Sent, ids: readonly string[], token: number) =>
  ids.map(id =>
    sent
      .patch(`/article/${id}`)
      .headers(csrf(token))
      .json({ title: `Renamed ${id}` }),
  );

/** The line of Grace's login, with the CSRF token of this number. */
export const graceSignsIn = (sent: Sent, token: number) =>
  sent.post('/login').headers(csrf(token)).json({ username: 'grace', password: 'hopper' });
