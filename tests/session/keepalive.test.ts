// A request with `keepalive` outlives its page, so its answer may bring back the cookie of a user who has signed out.
import { expect, test } from 'vitest';
import { json } from './support/answers.js';
import { API } from './support/article.js';
import { settle } from './support/manualClock.js';
import { deferred, errorOf } from './support/promises.js';
import { functionServer } from './support/functionServer.js';
import { setupCookieSession } from './support/setupCookieSession.js';

const ada = { name: 'ada' };

test.each([true, false])(
  'scenario 56: a cookie that an answer brings back during a logout goes with it (keepalive: %s)',
  async keepalive => {
    const { session, fake, jar, clock, status } = setupCookieSession(
      { tabs: false, trustedOrigins: [API] },
      {},
      functionServer,
    );
    await session.login(ada);
    const answered = deferred();
    // A server that renews its cookie with each answer.
    fake.routes['POST /draft'] = async () => {
      await answered.promise;
      jar.person = 'ada';
      return json({});
    };
    const draft = errorOf(session.fetch(`${API}/draft`, { method: 'POST', body: 'x', keepalive }));
    await settle();
    const logout = session.logout();
    await settle();
    await clock.advance(50);
    answered.resolve();
    await settle();
    await clock.advance(100);
    await logout;
    await settle();
    expect([jar.person, status(), fake.count('POST /logout')]).toEqual([undefined, 'anonymous', 1]);
    expect((await draft).name).toBe('AbortError');
  },
);
