import { afterEach, expect, test } from 'vitest';
import { userOf } from './support/people.js';
import { setupTabs } from './support/setupTabs.js';

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

/** One page in which Ada is signed in. A second session was created, as after a hot update of the module. The first one still has a listener. */
async function twoSessionsOfOnePage(storage: 'session' | 'local') {
  const setup = setupTabs({}, { storage });
  const first = setup.open();
  first.mount();
  await first.login('ada');
  await setup.browser.pass(200);
  const second = setup.open({}, first.tab);
  second.mount();
  await setup.browser.pass(200);
  setup.expire();
  setup.server.clear();
  return { ...setup, first, second };
}

const STORAGES = ['local'] as const;

test.each(STORAGES)(
  'two sessions of one page with one %s storage refresh one at a time, and both go on',
  async storage => {
    const { browser, server, refused, first, second } = await twoSessionsOfOnePage(storage);
    const requests = Promise.all([...first.burst(3), ...second.burst(3)]);
    await browser.pass(500);
    await requests;
    expect([server.count('/refresh'), refused()]).toEqual([1, 0]);
    for (const session of [first, second])
      expect(session.now()).toMatchObject({ status: 'authenticated', user: userOf('ada') });
  },
);

// Pages that share no storage with others take no turns.
test('two sessions of one page with session storage: the user signs in again', async () => {
  const { browser, first, second } = await twoSessionsOfOnePage('session');
  const requests = Promise.allSettled([...first.burst(1), ...second.burst(1)]);
  await browser.pass(2_000);
  await requests;
  expect([first.now().status, second.now().status]).toContain('anonymous');
  await browser.until(first.login('ada'));
  expect(first.now()).toMatchObject({ status: 'authenticated' });
});
