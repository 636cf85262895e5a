import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSdkSession, createSession } from '../../src/entries/core.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { settle } from './support/manualClock.js';
import { deferred } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';

/** 0 to 13 microtasks: a refresh needs fewer than 13 after the server's answer. */
const MICROTASK_COUNTS = Array.from({ length: 14 }, (_, count) => count);

describe('a change of the user around the answer to a refresh wins over the refresh', () => {
  test.each(MICROTASK_COUNTS)('createSession: another user is adopted %i microtasks after the answer', async count => {
    // Both sign-ins have the credential `cookie`, so the session cannot tell them apart by it.
    const answer = deferred<{ credential: string; subject?: string; user: { id: string } }>();
    const session = createSession<string, { id: string }, [string]>(
      {
        login: async id => ({ credential: 'cookie', subject: id, user: { id } }),
        refresh: () => answer.promise,
        attach: ({ init }) => init,
      },
      { server: true },
    );
    onTestFinished(() => session.dispose());
    session.subscribe(() => {});
    await session.login('ada');
    const refreshed = session.refresh().catch(() => {});
    await settle();
    answer.resolve({ credential: 'of ada', user: { id: 'ada' } });
    for (let index = 0; index < count; index++) await Promise.resolve();
    sessionCore(session).adopt({ credential: 'cookie', subject: 'grace', user: { id: 'grace' } });
    await refreshed;
    await settle();
    expect(session.getSnapshot().user).toEqual({ id: 'grace' });
    expect(sessionCore(session).getSubject()).toBe('grace');
    expect(sessionCore(session).getCredential()).toBe('cookie');
  });

  test.each(MICROTASK_COUNTS)(
    'createSdkSession: the SDK changes its user %i microtasks after the answer',
    async count => {
      vi.stubGlobal('window', globalThis);
      let subject: string | null = 'ada';
      let changed = () => {};
      const token = deferred<string>();
      const session = createSdkSession({
        getToken: () => token.promise,
        subject: () => subject,
        subscribe: listener => ((changed = listener), () => {}),
      });
      onTestFinished(() => session.dispose());
      const core = sessionCore(session);
      session.subscribe(() => {});
      await settle();
      expect(core.getSubject()).toBe('ada');
      const refreshed = session.refresh().catch(() => {});
      await settle();
      token.resolve('token-of-ada');
      for (let index = 0; index < count; index++) await Promise.resolve();
      subject = 'grace';
      changed();
      await refreshed;
      await settle();
      expect([core.getSubject(), (core.getCredential() as { token?: string } | undefined)?.token]).toEqual([
        'grace',
        undefined,
      ]);
    },
  );

  test.each(MICROTASK_COUNTS)(
    'createCookieSession: `whoami` finds another user %i microtasks before the answer',
    async count => {
      const answers = { csrf: deferred(), whoami: deferred<{ id: string }>() };
      let isFirst = true;
      const { session, jar } = setupCookieSession({
        tabs: 'late-refresh',
        whoami: async () => (isFirst ? { id: 'ada' } : answers.whoami.promise),
        csrf: { cookie: 'csrftoken', header: 'X-CSRFToken', fetch: () => answers.csrf.promise },
      });
      onTestFinished(() => session.dispose());
      const core = sessionCore(session);
      jar.person = 'ada';
      session.subscribe(() => {});
      await session.ready();
      isFirst = false;
      const refreshed = session.refresh().catch(() => {});
      await settle();
      const reloaded = session.reload().catch(() => {});
      await settle();
      answers.whoami.resolve({ id: 'grace' });
      for (let index = 0; index < count; index++) await Promise.resolve();
      answers.csrf.resolve();
      await Promise.all([refreshed, reloaded]);
      await settle();
      expect([core.getSubject(), session.getSnapshot().user?.id]).toEqual(['grace', 'grace']);
    },
  );
});
