import { describe, expect, test } from 'vitest';
import type { AuthParameters } from '../../src/storybook/auth/AuthParameters.js';
import { choicesOf, mechanismOf, writtenChoices, type ChoosingContext } from '../../src/storybook/auth/choices.js';
import { StoryRun } from '../../src/storybook/auth/StoryRun.js';
import { toolbarTools } from '../../src/storybook/auth/toolbarTools.js';

const server = { signIn: (id: string) => ({ accessToken: id }), expire: () => {}, networkHandler: () => ({}) };
const session = () => ({ subject: null });
const given: AuthParameters = { session, server, people: { ada: 'Ada', grace: 'Grace' }, as: 'ada' };
const two: AuthParameters = { ...given, mechanisms: { token: { title: 'Token' }, cookie: { session } } };

const context = (globals: object, storyGlobals: object = {}, playFunction?: () => void): ChoosingContext => ({
  globals: { user: 'story', network: 'fast', ...globals, ...storyGlobals },
  storyGlobals: storyGlobals as ChoosingContext['storyGlobals'],
  playFunction,
});

describe('the choices of a story', () => {
  test('are those of the toolbar', () => {
    expect(choicesOf(two, context({ user: 'grace', mechanism: 'cookie', network: 'slow' }))).toEqual({
      user: 'grace',
      mechanism: 'cookie',
      network: 'slow',
    });
  });

  test('are the defaults where the toolbar names what the story does not know', () => {
    expect(choicesOf(given, context({ user: 'linus', mechanism: 'cookie', network: 'carrier pigeon' }))).toEqual({
      user: 'story',
      mechanism: undefined,
      network: 'fast',
    });
    expect(choicesOf(two, context({ mechanism: 'pigeon' })).mechanism).toBe('token');
  });

  test('are its own when it has a play, or when it says so', () => {
    const play = context({ user: 'none', network: 'offline' }, { network: 'expired' }, () => {});
    expect(choicesOf(given, play)).toEqual({ user: 'story', mechanism: undefined, network: 'expired' });
    expect(choicesOf({ ...given, toolbar: true }, play).user).toBe('none');
    expect(choicesOf({ ...given, toolbar: false }, context({ user: 'none' })).user).toBe('story');
  });

  test('are compared with those that the story is written for', () => {
    expect(writtenChoices(given, context({ user: 'none' }, { user: 'grace' })).user).toBe('grace');
    const auth = (globals: object) =>
      new StoryRun(given, { ...context(globals), id: 'story', abortSignal: new AbortController().signal }).startRender(
        false,
      );
    expect(auth({}).isAsWritten).toBe(true);
    expect(auth({ user: 'none' }).isAsWritten).toBe(false);
    expect(auth({ user: 'none' }).personFor('grace')).toBeUndefined();
    expect(auth({ user: 'grace' }).personFor('ada')).toBe('grace');
    expect(auth({}).personFor()).toBe('ada');
    expect(auth({}).personFor('grace')).toBe('grace');
  });

  test('name a mechanism, or the only one', () => {
    expect(mechanismOf(two, 'cookie')).toEqual({ session });
    expect(mechanismOf(given, undefined)).toBe(given);
  });
});

describe('the toolbar', () => {
  const titles = (parameters: AuthParameters, mechanism?: string) =>
    toolbarTools(parameters, {}, { mechanism }).map(({ items }) => items.map(({ title }) => title));

  const USERS = ['Story’s own', 'Ada', 'Grace', 'Signed out'];
  const NETWORKS = ['Fast', 'Slow', 'Offline', 'Expired credentials'];

  test('has a tool for each choice', () => {
    const tools = toolbarTools(two, {}, { mechanism: 'token' });
    expect(tools.map(({ title }) => title)).toEqual(['Mechanism', 'User', 'Network']);
    expect(titles(two, 'token')).toEqual([['Token', 'cookie'], USERS, NETWORKS]);
    expect(titles(given)).toEqual([USERS, NETWORKS]);
  });

  test('offers what the server can do', () => {
    const signIn = server.signIn;
    expect(titles({ ...given, server: { signIn } })).toEqual([USERS]);
    expect(titles({ ...given, server: { signIn, expire: () => {} } })[1]).toEqual(['Fast', 'Expired credentials']);
  });

  test('offers everything to a story that makes its own session', () => {
    expect(titles({ people: {} })).toEqual([['Story’s own', 'Signed out'], NETWORKS]);
  });

  test('is empty for a story with a play', () => {
    expect(toolbarTools(two, { playFunction: () => {} }, { mechanism: 'token' })).toEqual([]);
  });
});
