import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settle } from './support/manualClock.js';
import { setupSdkSession, type Answer } from './support/setupSdkSession.js';

// Fewer where each mutant is tested.
const RUNS = Number(process.env.PROPERTY_RUNS ?? 1_000);
const USERS = ['ada', 'grace', 'cy'];

const user = fc.constantFrom(...USERS, null);
const answer = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Answer>('token') },
  { weight: 2, arbitrary: fc.constantFrom<Answer>('null', 'offline') },
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('component' as const), user }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('sdk' as const), user }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('request' as const) }) },
  { weight: 9, arbitrary: fc.record({ type: fc.constant('answer' as const), which: fc.nat(5), answer }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('expiry' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 5_000, 10_000) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const steps = fc.array(fc.tuple(step, fc.boolean()), { minLength: 3, maxLength: 40, size: 'max' });

/**
 * Runs the steps after the users of `agreed` were signed in with an SDK and a component that agreed. Where a `sub` has
 * another form than the subject, only that tells whose it is; where both are one, the first such token tells it for
 * all.
 */
async function play(
  setup: ReturnType<typeof setupSdkSession>,
  agreed: readonly string[],
  played: readonly (readonly [Step, boolean])[],
) {
  for (const name of agreed) expect(await setup.agree(name)).toBe('answered');
  let settled = 0;
  let started = 0;
  for (const [next, atOnce] of played) {
    if (next.type === 'component') setup.become(next.user);
    if (next.type === 'sdk') setup.sdk.user = next.user;
    if (next.type === 'answer') setup.answer(next.which, next.answer);
    if (next.type === 'wait') await setup.clock.advance(next.ms);
    // Not between the fresh token and the second try: two refusals end a session, rightly.
    if (next.type === 'expiry' && setup.pending() === 0) setup.expireTokens();
    if (next.type === 'request') {
      started++;
      const done = () => void settled++;
      setup.request().then(done, done);
    }
    if (!atOnce) await settle();
    expect(setup.wrong).toEqual([]);
  }
  await setup.drain();
  expect(settled).toBe(started);
}

test.each([
  { form: 'the subject itself', subOf: (name: string) => name, agreed: ['ada'] },
  { form: 'another form than the subject', subOf: (name: string) => `auth0|${name}`, agreed: ['ada', 'grace'] },
])(
  `an SDK ahead of its subject, or behind it, lends no token, and locks no user out, where \`sub\` is $form (${RUNS} runs)`,
  { timeout: 120_000 },
  async ({ subOf, agreed }) => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), fc.constantFrom(...USERS), async (played, keepsOldCache, last) => {
        const setup = setupSdkSession({ subOf, keepsOldCache });
        await play(setup, agreed, played);
        expect(await setup.agree(last)).toBe('answered');
        expect(setup.session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: last } });
        expect(setup.wrong).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  },
);
