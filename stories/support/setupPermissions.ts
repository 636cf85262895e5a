import { http, HttpResponse, type RequestHandler } from 'msw';
import { RestEndpoint } from '../../src/index.js';
import { permissions, type PermissionAnswer, type PermissionQuestion } from '../../src/entries/permissions.js';
import { createGate, type MockAuth } from '../../src/testing/index.js';
import { ownApi } from './setupCookieApp.js';
import type { StoryStart } from './StoryStart.js';

/** What a user may do, as the server of a story decides it. */
type Policy = (question: PermissionQuestion, personId: string | undefined) => PermissionAnswer;

/** A server that answers `POST /permissions`, and the permissions of the provider that asks it. */
export function setupPermissions(auth: MockAuth, initial: Policy) {
  const gate = createGate();
  let policy = initial;
  let asked: { readonly personId: string | undefined; readonly questions: readonly PermissionQuestion[] }[] = [];
  const handlers: RequestHandler[] = [
    http.post(`${ownApi}/permissions`, async incoming => {
      const refusal = auth.authorize(incoming);
      if (refusal) return refusal;
      const personId = auth.personOf(incoming)?.id;
      const { questions } = (await incoming.request.json()) as { questions: readonly PermissionQuestion[] };
      asked.push({ personId, questions });
      const answers = questions.map(question => policy(question, personId));
      return (await gate.pass()) === 'lost' ? HttpResponse.error() : HttpResponse.json(answers);
    }),
  ];
  const reset = () => {
    gate.reset();
    policy = initial;
    asked = [];
  };
  return {
    can: permissions({
      ask: new RestEndpoint({
        urlPrefix: ownApi,
        path: '/permissions',
        method: 'POST',
        body: {} as { readonly questions: readonly PermissionQuestion[] },
        process: (answers): PermissionAnswer[] => answers,
      }),
    }),
    /** Each request, with the user that it was sent as. */
    asked: () => asked,
    /** Replaces the policy of the server. */
    decide: (next: Policy) => void (policy = next),
    hold: () => gate.hold(),
    /** A story's `beforeEach`: that of its app, and a fresh server. */
    start:
      (startApp: StoryStart): StoryStart =>
      context => {
        const stop = startApp(context);
        reset();
        context.msw.use(...handlers);
        return stop;
      },
  };
}
