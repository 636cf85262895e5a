import { http, HttpResponse, type RequestHandler } from 'msw';
import { RestEndpoint } from '../../src/index.js';
import { stepUp, type StepUpOptions } from '../../src/entries/step-up.js';
import type { IncomingRequest, MockAuth } from '../../src/testing/index.js';
import { ownApi } from './setupCookieApp.js';
import type { StoryStart } from './StoryStart.js';

/** Asks for the password again, as in RFC 9470. */
const NEEDS_PASSWORD = {
  'WWW-Authenticate': 'Bearer error="insufficient_user_authentication", max_age="300"',
};
const NEEDS_SCOPE = { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="articles:delete"' };

const REFUSALS = {
  password: () => HttpResponse.json({}, { status: 401, headers: NEEDS_PASSWORD }),
  scope: () => HttpResponse.json({}, { status: 403, headers: NEEDS_SCOPE }),
  code: () => HttpResponse.json({ code: 'mfa_required' }, { status: 403 }),
};

/** The extension for the server below. */
export const challenge = (options: StepUpOptions = {}) =>
  stepUp({
    answer: new RestEndpoint({ urlPrefix: ownApi, path: '/step-up', method: 'POST', body: {} }),
    ...options,
  });

/** The right answer to each challenge. */
const ACCEPTED = { password: 'lovelace', code: '246810', scope: undefined };

/** A server that deletes nothing until the user has typed the password again: `POST /step-up { password: 'lovelace' }`. */
export function setupStepUp(auth: () => MockAuth) {
  let isOpen = false;
  let isNeverEnough = false;
  let isForbidden = false;
  let wants: keyof typeof ACCEPTED = 'password';
  const authorize = (incoming: IncomingRequest) => auth().authorize(incoming);
  const handlers: RequestHandler[] = [
    http.post(`${ownApi}/step-up`, async incoming => {
      const refusal = authorize(incoming);
      if (refusal) return refusal;
      const values = (await incoming.request.json()) as Record<string, string | undefined>;
      if (values[wants] !== ACCEPTED[wants])
        return HttpResponse.json({ message: `The ${wants} is wrong.` }, { status: 422 });
      isOpen = !isNeverEnough;
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete(`${ownApi}/article/:id`, incoming => {
      const refusal = authorize(incoming);
      if (refusal) return refusal;
      if (isForbidden) return HttpResponse.json({}, { status: 403 });
      return isOpen ? undefined : REFUSALS[wants]();
    }),
  ];
  return {
    /** The server repeats its challenge after each answer. */
    neverOpen: () => void (isNeverEnough = true),
    /** Deletions need a scope, which `POST /step-up` grants. */
    wantScope: () => void (wants = 'scope'),
    /** Deletions need a code: 403 with `{ code: 'mfa_required' }`, which is no standard. */
    wantCode: () => void (wants = 'code'),
    /** Ada may delete nothing, whatever she types. */
    forbid: () => void (isForbidden = true),
    /** A story's `beforeEach`: that of its app, and a fresh server. */
    start:
      (startApp: StoryStart): StoryStart =>
      context => {
        const stop = startApp(context);
        isOpen = isNeverEnough = isForbidden = false;
        wants = 'password';
        context.msw.use(...handlers);
        return stop;
      },
  };
}
