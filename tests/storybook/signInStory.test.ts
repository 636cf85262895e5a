import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createCookieSession,
  createSdkSession,
  createSession,
  createTokenSession,
  type ContextTokenProviderProps,
  type TokenStorage,
} from '../../src/index.js';
import type { SessionStart } from '../../src/storybook/auth/AuthParameters.js';
import { serverFor, signInStory, type StoryProvider } from '../../src/storybook/auth/signInStory.js';
import {
  createRequestJournal,
  journalMatchers,
  cookieAuthHandlers,
  tokenAuthHandlers,
} from '../../src/testing/index.js';
import { expectNoTokenStored } from '../session/support/storedTokens.js';
import { people } from '../testing/people.js';

expect.extend(journalMatchers);
const msw = setupServer();
const journal = createRequestJournal(msw, { origin: 'https://app.example.com' });
beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => journal.clear());
afterEach(() => expect(journal).toHaveSent([]));
afterAll(() => msw.close());

const never = () => Promise.reject(new Error('No story sends this.'));
const snapshotOf = (provider: StoryProvider) =>
  provider.kind === 'context' ? undefined : provider.session.getSnapshot();
const getTokenOf = (provider: StoryProvider) =>
  provider.kind === 'context' ? (provider.props as ContextTokenProviderProps).getToken! : never;

/** A storage in memory, which a test reads. */
function createStorage(text: string | null = null): TokenStorage & { text: string | null } {
  const storage = {
    text,
    get: () => storage.text,
    set: (next: string) => void (storage.text = next),
    remove: () => void (storage.text = null),
  };
  return storage;
}

describe('with tokens', () => {
  const server = tokenAuthHandlers({ url: 'https://api.example.com', people });
  const storage = createStorage();
  const session = () => createTokenSession({ server: true, login: never, restore: never, storage });

  test('the session is signed in, and its storage has no token any more at the end', async () => {
    const { provider, end } = await signInStory({ session, server }, 'ada');
    expect(provider.kind).toBe('token');
    expect(snapshotOf(provider)).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
    await vi.waitFor(() => expect(storage.text).toContain('ada-1'));
    end();
    await vi.waitFor(() => expectNoTokenStored(storage.text));
  });

  test('a signed-out story looks for no session', async () => {
    const { provider } = await signInStory({ session, server }, undefined);
    expect(snapshotOf(provider)).toMatchObject({ status: 'anonymous', reason: undefined });
  });

  test('a session of module level starts over', async () => {
    const shared = session();
    const start = (person?: string) => signInStory({ session: () => shared, server }, person);
    for (const person of ['ada', 'grace']) {
      const { provider, end } = await start(person);
      expect(snapshotOf(provider)).toMatchObject({ status: 'authenticated', user: { id: person } });
      end();
    }
    expect(snapshotOf((await start()).provider)).toMatchObject({ status: 'anonymous' });
  });

  test('a server that does not know the user says so', async () => {
    await expect(signInStory({ session, server }, 'linus')).rejects.toThrow('No mock person has the id "linus"');
  });

  test('without a server, the user is the label of the toolbar', async () => {
    const { provider } = await signInStory({ session, server: serverFor({ people: { ada: 'Ada' } }) }, 'ada');
    expect(snapshotOf(provider)?.user).toEqual({ id: 'ada', name: 'Ada' });
  });
});

describe('with a cookie', () => {
  const server = cookieAuthHandlers({ people });
  const session = () => createCookieSession({ server: true, login: never, whoami: never });

  test('the provider starts with the user of the server', async () => {
    const { provider } = await signInStory({ session, server }, 'ada');
    expect(provider).toMatchObject({ kind: 'cookie', initial: { id: 'ada', name: 'Ada Lovelace' } });
  });

  test('and a signed-out story with null', async () => {
    expect((await signInStory({ session, server }, undefined)).provider).toMatchObject({
      kind: 'cookie',
      initial: null,
    });
  });
});

describe('with an SDK', () => {
  const server = tokenAuthHandlers({ url: 'https://api.example.com', people });
  const props = ({ person, getToken }: SessionStart) => ({ subject: person ?? null, getToken });

  test('the provider gets the server’s token, and a fresh one when asked', async () => {
    const { provider } = await signInStory({ session: props, server }, 'ada');
    const getToken = getTokenOf(provider);
    expect(provider).toMatchObject({ kind: 'context', props: { subject: 'ada' } });
    expect(await getToken({ forceRefresh: false })).toBe('ada-1');
    expect(await getToken({ forceRefresh: false })).toBe('ada-1');
    expect(await getToken({ forceRefresh: true })).toBe('ada-2');
  });

  test('signed out, there is no token', async () => {
    const { provider } = await signInStory({ session: props, server }, undefined);
    expect(await getTokenOf(provider)({ forceRefresh: false })).toBeNull();
  });

  test('a token may be a text, or have OAuth’s spelling', async () => {
    for (const answer of ['text', { access_token: 'text' }]) {
      const { provider } = await signInStory({ session: props, server: { signIn: () => answer } }, 'ada');
      expect(await getTokenOf(provider)({ forceRefresh: false })).toBe('text');
    }
  });

  test('a session of createSdkSession knows its user', async () => {
    const session = ({ person, getToken }: SessionStart) =>
      createSdkSession({ server: true, subject: () => person ?? null, getToken });
    const { provider } = await signInStory({ session, server }, 'ada');
    expect(snapshotOf(provider)?.status).toBe('authenticated');
  });
});

test('a mechanism of your own enters what the server gives', async () => {
  const session = () =>
    createSession({ attach: ({ init }) => init, classify: async () => undefined }, { server: true });
  const server = { signIn: (subject: string) => ({ credential: 'key', subject, user: { id: subject } }) };
  const { provider } = await signInStory({ session, server }, 'ada');
  expect(snapshotOf(provider)).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
});
