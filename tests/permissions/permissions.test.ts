import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTokenSession, Entity } from '../../src/index.js';
import { lock } from '../../src/entries/lock.js';
import { permissions, type PermissionAnswer, type PermissionQuestion } from '../../src/entries/permissions.js';
import { bindSession } from '../../src/endpoints/boundSession.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import type { AskedQuestion } from '../../src/permissions/PermissionAnswers.js';
import type { PermissionsOptions } from '../../src/permissions/PermissionAnswers.js';
import { settle } from '../session/support/manualClock.js';

interface User {
  readonly id: string;
  readonly role?: string;
}

class Article extends Entity {
  static override readonly key = 'Article';
  id = '';
  author = '';
}

const first = Article.fromJS({ id: '1', author: 'ada' });
const remove: AskedQuestion = { action: 'delete', on: first };
const rename: AskedQuestion = { action: 'rename', on: first };

afterEach(() => void vi.restoreAllMocks());

/** A session, its permissions, and what its server was asked. The answers wait until the test gives them. */
async function setup(
  options: PermissionsOptions<User> = {},
  user: User | null = { id: 'ada' },
  { profile }: { profile?: () => Promise<User> } = {},
) {
  const asked: PermissionQuestion[][] = [];
  const waiting: { resolve: (answers: readonly PermissionAnswer[]) => void; reject: (error: Error) => void }[] = [];
  const ask = (questions: readonly PermissionQuestion[]) => {
    asked.push([...questions]);
    return new Promise<readonly PermissionAnswer[]>((resolve, reject) => waiting.push({ resolve, reject }));
  };
  const session = createTokenSession({
    login: async (next: User) => ({ accessToken: `${next.id}-1`, user: next }),
    restore: async () => null,
    server: true,
    profile,
  });
  if (user) await session.login(user);
  else await session.ready();
  const answers = permissions<User>({ ask, ...options })(bindSession(sessionCore(session)));
  const answer = async (...given: readonly PermissionAnswer[]) => {
    waiting.shift()!.resolve(given);
    await settle();
  };
  const fail = async (error: Error) => {
    waiting.shift()!.reject(error);
    await settle();
  };
  const onChange = vi.fn();
  const watch = (...questions: AskedQuestion[]) => answers.watch({ getQuestions: () => questions, onChange });
  return { session, answers, asked, answer, fail, watch, onChange };
}

test('needs a way to answer', () => {
  expect(() => permissions({})).toThrow(/give it `fromUser`, a function of the user, or `ask`/);
});

test('all questions of a moment are one request, each of them once', async () => {
  const { answers, asked, answer } = await setup();
  answers.ask([remove]);
  answers.ask([rename, remove]);
  expect(answers.read(remove)).toEqual({ status: 'pending' });
  await settle();
  answers.ask([remove]);
  await settle();
  expect(asked).toEqual([
    [
      { action: 'delete', on: { type: 'Article', id: '1' } },
      { action: 'rename', on: { type: 'Article', id: '1' } },
    ],
  ]);
  await answer(true, { allowed: false, reason: 'Only editors rename.' });
  expect(answers.read(remove)).toEqual({ status: 'allowed' });
  expect(answers.read(rename)).toEqual({ status: 'denied', reason: 'Only editors rename.' });
  answers.ask([remove, rename]);
  await settle();
  expect(asked).toHaveLength(1);
});

test.each([null, { code: 'plan' }, ['no'], 5])('a reason that is no text is none: %j', async reason => {
  const { answers, answer } = await setup();
  answers.ask([rename]);
  await settle();
  await answer({ allowed: false, reason: reason as never });
  expect(answers.read(rename)).toEqual({ status: 'denied' });
});

test('reading asks nothing', async () => {
  const { answers, asked } = await setup();
  answers.read(remove);
  await settle();
  expect(asked).toEqual([]);
});

test.each([
  ['an entity', first, { type: 'Article', id: '1' }],
  ['a class', Article, { type: 'Article' }],
  ['a type and an id', { type: 'Report', id: 7 }, { type: 'Report', id: '7' }],
  ['a type', 'Report', { type: 'Report' }],
])('asks about %s', async (_, on, expected) => {
  const { answers, asked } = await setup();
  answers.ask([{ action: 'read', on, field: 'title' }]);
  await settle();
  expect(asked).toEqual([[{ action: 'read', on: expected, field: 'title' }]]);
});

test('asks nothing about a record without a key, and refuses one without a type', async () => {
  const { answers, asked } = await setup();
  class Draft extends Article {
    override pk() {
      return undefined as never;
    }
  }
  const unsaved = { action: 'delete', on: Draft.fromJS({}) };
  answers.ask([unsaved]);
  await settle();
  expect(answers.read(unsaved)).toEqual({ status: 'pending' });
  expect(asked).toEqual([]);
  expect(() => answers.read({ action: 'delete', on: { id: '1' } })).toThrow(/without a type/);
});

test('warns in development about a class whose name a production build may shorten', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  class Unnamed extends Entity {
    id = '1';
  }
  const { answers } = await setup();
  answers.read({ action: 'delete', on: Unnamed });
  answers.read({ action: 'delete', on: Unnamed });
  expect(warn.mock.calls).toEqual([
    [
      expect.stringContaining(
        "asked about Unnamed, whose name a production build may shorten, so the server would not know it. Add `static key = 'Unnamed'` to the class.",
      ),
    ],
  ]);
});

test('the user answers at once, and what the user does not answer is asked', async () => {
  const fromUser = ({ action }: PermissionQuestion, user: User | undefined, record: object | undefined) =>
    action === 'delete' ? (record as Article).author === user?.id : undefined;
  const { answers, asked } = await setup({ fromUser });
  answers.ask([remove, rename]);
  expect(answers.read(remove)).toEqual({ status: 'allowed' });
  expect(answers.read({ ...remove, on: Article.fromJS({ id: '2', author: 'grace' }) })).toEqual({ status: 'denied' });
  await settle();
  expect(asked).toEqual([[{ action: 'rename', on: { type: 'Article', id: '1' } }]]);
});

test('a signed-out user is asked about by `fromUser` only', async () => {
  const fromUser = ({ action }: PermissionQuestion) => action === 'read' || undefined;
  const { answers, asked } = await setup({ fromUser }, null);
  answers.ask([remove]);
  await settle();
  expect(answers.read({ action: 'read', on: first })).toEqual({ status: 'allowed' });
  expect(answers.read(remove)).toEqual({ status: 'denied' });
  expect(asked).toEqual([]);
});

test('while it is not known who is signed in, everything is pending, and then it is asked', async () => {
  const session = createTokenSession({
    login: async (next: User) => ({ accessToken: `${next.id}-1`, user: next }),
    restore: async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }),
    server: true,
  });
  const ask = vi.fn(async (questions: readonly PermissionQuestion[]) => questions.map(() => true));
  const fromUser = ({ action }: PermissionQuestion, user: unknown) =>
    action === 'read' ? user !== undefined : undefined;
  const answers = permissions({ fromUser, ask })(bindSession(sessionCore(session)));
  answers.ask([remove]);
  expect(answers.read(remove)).toEqual({ status: 'pending' });
  expect(answers.read({ action: 'read' })).toEqual({ status: 'pending' });
  await settle();
  expect(ask).not.toHaveBeenCalled();
  answers.watch({ getQuestions: () => [remove], onChange: () => {} });
  await session.ready();
  await settle();
  expect(ask.mock.calls).toEqual([[[{ action: 'delete', on: { type: 'Article', id: '1' } }], { id: 'ada' }]]);
  expect(answers.read(remove)).toEqual({ status: 'allowed' });
});

test('no answer for one user is read by another, and no question of one is sent as another', async () => {
  const { session, answers, asked, answer } = await setup();
  answers.ask([remove]);
  await settle();
  await answer(true);
  answers.ask([rename]);
  sessionCore(session).adopt({ credential: { accessToken: 'grace-1' }, user: { id: 'grace' }, subject: 'grace' });
  expect(answers.read(remove)).toEqual({ status: 'pending' });
  await settle();
  expect(asked).toHaveLength(1);
});

test('an answer that comes after a change of user counts for nobody', async () => {
  const { session, answers, asked, answer, watch } = await setup();
  watch(remove);
  answers.ask([remove]);
  await settle();
  await session.login({ id: 'grace' });
  await settle();
  expect(asked).toHaveLength(2);
  await answer(true);
  expect(answers.read(remove)).toEqual({ status: 'pending' });
  await answer(false);
  expect(answers.read(remove)).toEqual({ status: 'denied' });
});

test('other data about the same user: what is on the screen is asked again, and stays until the answer', async () => {
  const listeners = new Set<() => void>();
  let snapshot = { status: 'authenticated', epoch: 1, user: { id: 'ada', role: 'editor' } };
  const session = {
    getSnapshot: () => snapshot,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const ask = vi.fn(async (questions: readonly PermissionQuestion[], { role }: { role: string }) =>
    questions.map(() => role === 'editor'),
  );
  const answers = permissions<{ role: string }>({ ask })({ session, end: new AbortController().signal } as never);
  const unwatch = answers.watch({ getQuestions: () => [remove], onChange: () => {} });
  answers.ask([remove, rename]);
  await settle();
  snapshot = { ...snapshot, user: { id: 'ada', role: 'editor' } };
  for (const listener of listeners) listener();
  await settle();
  expect(ask).toHaveBeenCalledTimes(1);
  snapshot = { ...snapshot, user: { id: 'ada', role: 'reader' } };
  for (const listener of listeners) listener();
  expect(answers.read(remove)).toEqual({ status: 'allowed' });
  expect(answers.read(rename)).toEqual({ status: 'pending' });
  await settle();
  expect(answers.read(remove)).toEqual({ status: 'denied' });
  expect(ask.mock.calls.map(([questions]) => questions.map(({ action }) => action))).toEqual([
    ['delete', 'rename'],
    ['delete'],
  ]);
  unwatch();
  expect(listeners.size).toBe(0);
});

test('a 403 on what was allowed asks again, once for each refusal, and never about what is denied or unknown', async () => {
  const { answers, asked, answer } = await setup();
  answers.onForbidden(remove);
  await settle();
  expect(asked).toEqual([]);
  answers.ask([remove, rename]);
  await settle();
  await answer(true, false);
  for (const question of [remove, remove, rename]) answers.onForbidden(question);
  await settle();
  expect(asked.slice(1)).toEqual([[{ action: 'delete', on: { type: 'Article', id: '1' } }]]);
  answers.onForbidden(remove);
  await settle();
  expect(asked).toHaveLength(2);
  expect(answers.read(remove)).toEqual({ status: 'allowed' });
  await answer(true);
  answers.onForbidden(remove);
  await settle();
  expect(asked).toHaveLength(3);
});

test('a 403 that arrives while the session is locked asks again after the unlock, once', async () => {
  const { session, answers, asked, answer, watch } = await setup();
  const core = sessionCore(session);
  const unlock = lock().attach(core);
  watch(remove, rename);
  answers.ask([remove, rename]);
  await settle();
  await answer(true, true);
  core.expire();
  answers.onForbidden(remove);
  answers.onForbidden(remove);
  await settle();
  expect(session.getSnapshot().status).toBe('locked');
  expect([answers.read(remove), asked.length]).toEqual([{ status: 'allowed' }, 1]);
  await session.login({ id: 'ada' });
  await settle();
  expect(asked.slice(1)).toEqual([[{ action: 'delete', on: { type: 'Article', id: '1' } }]]);
  await answer(false);
  expect(answers.read(remove)).toEqual({ status: 'denied' });
  unlock();
});

test('a question that cannot be answered is unavailable, and is asked again by the next component', async () => {
  const { answers, asked, answer, fail } = await setup();
  answers.ask([remove]);
  await settle();
  const error = new TypeError('fetch failed');
  await fail(error);
  expect(answers.read(remove)).toMatchObject({ status: 'unavailable', error });
  answers.ask([remove]);
  await settle();
  expect(asked).toHaveLength(2);
  await answer(true);
  expect(answers.read(remove)).toEqual({ status: 'allowed' });
});

test('a retry asks once for all that components wait for, and another failure is another error', async () => {
  const { answers, asked, answer, fail, watch } = await setup();
  watch(remove, rename);
  answers.ask([remove, rename]);
  await settle();
  await fail(new TypeError('fetch failed'));
  answers.read(remove).retry?.();
  answers.read(rename).retry?.();
  await settle();
  const again = new TypeError('fetch failed again');
  await fail(again);
  expect(answers.read(remove).error).toBe(again);
  answers.read(remove).retry?.();
  await settle();
  expect(asked.map(questions => questions.length)).toEqual([2, 2, 2]);
  await answer(true, false);
  expect([answers.read(remove), answers.read(rename)]).toEqual([{ status: 'allowed' }, { status: 'denied' }]);
});

describe('a 403 on what `fromUser` allowed', () => {
  const fromUser = (_: PermissionQuestion, user: User | undefined) => user?.role === 'editor';

  test('loads the user again, once for all refusals of a moment', async () => {
    const profile = vi.fn(async () => ({ id: 'ada', role: 'reader' }));
    const { answers, asked, onChange, watch } = await setup({ fromUser }, { id: 'ada', role: 'editor' }, { profile });
    watch(remove);
    expect(answers.read(remove)).toEqual({ status: 'allowed' });
    answers.onForbidden(remove);
    answers.onForbidden(rename);
    await settle();
    expect(answers.read(remove)).toEqual({ status: 'denied' });
    expect(onChange).toHaveBeenCalled();
    answers.onForbidden(remove);
    await settle();
    expect(profile).toHaveBeenCalledTimes(1);
    expect(asked).toEqual([]);
  });

  test('changes nothing where the session cannot load the user', async () => {
    const { answers, asked, session } = await setup({ fromUser }, { id: 'ada', role: 'editor' });
    answers.onForbidden(remove);
    await settle();
    expect(answers.read(remove)).toEqual({ status: 'allowed' });
    expect(asked).toEqual([]);
    expect(session.getSnapshot().status).toBe('authenticated');
  });
});

test('a page that is hydrated reads the user of the page that the server rendered', async () => {
  const fromUser = (_: PermissionQuestion, user: User | undefined) => user?.role === 'editor';
  const { answers } = await setup({ fromUser }, { id: 'ada', role: 'editor' });
  expect(answers.read(remove)).toEqual({ status: 'allowed' });
  expect(answers.readOnServer(remove)).toEqual({ status: 'pending' });
});

test('a failed question after a 403 keeps what was known', async () => {
  const { answers, answer, fail } = await setup();
  answers.ask([remove]);
  await settle();
  await answer(true);
  answers.onForbidden(remove);
  await settle();
  await fail(new TypeError('fetch failed'));
  expect(answers.read(remove)).toEqual({ status: 'allowed' });
});

test('a failed question after a 403 is asked again by the next component', async () => {
  const { answers, asked, answer, fail } = await setup();
  answers.ask([remove]);
  await settle();
  await answer(true);
  answers.onForbidden(remove);
  await settle();
  await fail(new TypeError('fetch failed'));
  answers.ask([remove]);
  await settle();
  expect(asked).toHaveLength(3);
  await answer(false);
  answers.ask([remove]);
  await settle();
  expect([answers.read(remove), asked.length]).toEqual([{ status: 'denied' }, 3]);
});

test.each([
  ['fewer answers', [true], /answered with 1 answers/],
  ['something else', { delete: true }, /answered with a value of type object/],
  ['texts', ['yes', 'no'], /with true, false or \{ allowed, reason \} for each question/],
])('%s are an error that says what is expected', async (_, given, message) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { answers } = await setup({ ask: async () => given as never });
  answers.ask([remove, rename]);
  await settle();
  const { status, error } = answers.read(remove);
  expect(status).toBe('unavailable');
  expect(error?.message).toMatch(message);
  expect(log).toHaveBeenCalledTimes(1);
});

test('components hear of answers while they watch', async () => {
  const { answers, answer, watch, onChange } = await setup();
  const unwatch = watch(remove);
  answers.ask([remove]);
  await settle();
  await answer(true);
  expect(onChange).toHaveBeenCalledTimes(1);
  unwatch();
  answers.ask([rename]);
  await settle();
  await answer(true);
  expect(onChange).toHaveBeenCalledTimes(1);
});

test('the user’s data changes while no component watches: the next component asks again', async () => {
  let role = 'admin';
  const session = createTokenSession({
    login: async (user: { id: string; role: string }) => ({ accessToken: 'ada-1', user }),
    profile: async () => ({ id: 'ada', role }),
    server: true,
  });
  await session.login({ id: 'ada', role });
  const ask = vi.fn(async (questions: readonly PermissionQuestion[], user: { role: string }) =>
    questions.map(() => user.role === 'admin'),
  );
  const answers = permissions<{ role: string }>({ ask })(bindSession(sessionCore(session)));
  const mount = async () => {
    const shown = answers.read(remove).status;
    const unmount = answers.watch({ getQuestions: () => [remove], onChange: () => {} });
    answers.ask([remove]);
    await settle();
    return { unmount, shown };
  };
  (await mount()).unmount();
  const known = await mount();
  expect([known.shown, ask.mock.calls.length]).toEqual(['allowed', 1]);
  known.unmount();
  role = 'reader';
  await session.reload();
  const next = await mount();
  expect([next.shown, ask.mock.calls.length]).toEqual(['pending', 2]);
  expect(answers.read(remove).status).toBe('denied');
});
