import { http, HttpResponse, type RequestHandler } from 'msw';
import { RestEndpoint, stepUp, type StepUpOptions } from '../../src/index.js';
import { createGate, type IncomingRequest, type MockAuth } from '../../src/testing/index.js';
import { ownApi } from './setupCookieApp.js';
import type { StoryStart } from './StoryStart.js';

/** Asks for the password again, as RFC 9470 has it. */
const NEEDS_PASSWORD = {
  'WWW-Authenticate': 'Bearer error="insufficient_user_authentication", max_age="300"',
};
const NEEDS_SCOPE = { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="articles:delete"' };

/** The option `challenge` for the server below. */
export const challenge = (options: StepUpOptions = {}) =>
  stepUp({
    answer: new RestEndpoint({ urlPrefix: ownApi, path: '/step-up', method: 'POST', body: {} }),
    ...options,
  });

/** A server that deletes nothing until the user has typed the password once more: `POST /step-up { password: 'lovelace' }`. */
export function setupStepUp(auth: () => MockAuth) {
  const gate = createGate();
  let isOpen = false;
  let isNeverEnough = false;
  let wantsScope = false;
  const judge = (incoming: IncomingRequest) => auth().authorize(incoming);
  const handlers: RequestHandler[] = [
    http.post(`${ownApi}/step-up`, async incoming => {
      const refusal = judge(incoming);
      if (refusal) return refusal;
      const { password } = (await incoming.request.json()) as { password?: string };
      if (!wantsScope && password !== 'lovelace')
        return HttpResponse.json({ message: 'The password is wrong.' }, { status: 422 });
      isOpen = !isNeverEnough;
      return (await gate.pass()) === 'lost' ? HttpResponse.error() : new HttpResponse(null, { status: 204 });
    }),
    http.delete(`${ownApi}/article/:id`, incoming => {
      const refusal = judge(incoming);
      if (refusal || isOpen) return refusal;
      return wantsScope
        ? HttpResponse.json({}, { status: 403, headers: NEEDS_SCOPE })
        : HttpResponse.json({}, { status: 401, headers: NEEDS_PASSWORD });
    }),
  ];
  return {
    /** No answer opens the server. */
    neverOpen: () => void (isNeverEnough = true),
    /** Deletions need a scope, which `POST /step-up` grants. */
    wantScope: () => void (wantsScope = true),
    hold: () => gate.hold(),
    /** A story's `beforeEach`: that of its app, and a fresh server. */
    start:
      (startApp: StoryStart): StoryStart =>
      context => {
        const stop = startApp(context);
        gate.reset();
        isOpen = isNeverEnough = wantsScope = false;
        context.msw.use(...handlers);
        return stop;
      },
  };
}
