import { expect, test, vi } from 'vitest';
import { LogoutUnconfirmedError } from '../../src/entries/core.js';
import { json } from './support/answers.js';
import { deferred, errorOf } from './support/promises.js';
import { settle } from './support/manualClock.js';
import { tokenOf } from './support/article.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const [ada, grace] = [{ name: 'ada' }, { name: 'grace' }];

test('a logout that fails after a later login was called leaves no error with the user who signed in', async () => {
  const answered = deferred<Response>();
  const { session, server } = setupTokenSession({}, { 'POST /logout': () => answered.promise });
  await session.login(ada);
  const logout = errorOf(session.logout());
  await settle();
  const login = session.login(grace);
  const errors: unknown[] = [];
  session.subscribe(() => void errors.push(session.getSnapshot().error));
  answered.resolve(json({}, 500));
  expect(await logout).toMatchObject({ status: 500 });
  await login;
  expect(errors.filter(error => error instanceof LogoutUnconfirmedError)).toEqual([]);
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' }, error: undefined });
  expect(server.count('/logout')).toBe(1);
});

test('a logout during a second login does not carry the token that the server has ended before', async () => {
  const { session, server, clock, issue } = setupTokenSession();
  await session.login(ada);
  await session.logout();
  const answered = deferred();
  server.routes['POST /login'] = async () => {
    await answered.promise;
    return json(issue('grace'));
  };
  const login = errorOf(session.login(grace));
  await settle();
  const logout = session.logout();
  await clock.advance(10_000);
  answered.resolve();
  await Promise.all([login, logout]);
  await settle();
  expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1', 'grace-1']);
});

test('a token login that a later one has overtaken is answered late: the user of now stays until the later one is answered', async () => {
  const { session, server, issue } = setupTokenSession();
  await session.login(ada);
  const answers = [deferred(), deferred()];
  let sent = 0;
  server.routes['POST /login'] = async seen => {
    const { username: name } = JSON.parse(seen.body) as { username: string };
    await answers[sent++]!.promise;
    return json(issue(name));
  };
  const first = errorOf(session.login(grace));
  await settle();
  const second = session.login({ name: 'cy' });
  answers[0]!.resolve();
  await first;
  await settle();
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  answers[1]!.resolve();
  await second;
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'cy' } });
  // What nobody uses is ended.
  expect(server.to('/logout').map(tokenOf)).toEqual(['grace-1']);
});

test('a token login that fails changes nothing, and the `restore` option is not asked', async () => {
  const restore = vi.fn(async () => null);
  const { session, server } = setupTokenSession({ restore: restore });
  await session.login(ada);
  restore.mockClear();
  server.routes['POST /login'] = () => json({}, 500);
  expect(await errorOf(session.login(grace))).toMatchObject({ status: 500 });
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  expect(restore).not.toHaveBeenCalled();
});
