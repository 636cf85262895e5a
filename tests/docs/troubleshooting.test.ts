import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as errors from '../../src/errors.js';
import { loginOverdueError } from '../../src/session/authCalls/authCalls.js';
import { screenEndedError } from '../../src/session/requests/screenEndedError.js';
import * as kit from '../../src/index.js';
import { createContextSession } from '../../src/mechanisms/context/createContextSession.js';
import { assertHeaderSafe } from '../../src/mechanisms/assertHeaderSafe.js';
import { NextLinkError } from '../../src/widgets/nextPage/NextPage.js';
import { codeBlocks } from './support/codeBlocks.js';
import { STORIES } from './support/pages.js';

const file = 'guides/Troubleshooting.mdx';
const text = readFileSync(new URL(file, STORIES), 'utf8');

/** What each of these fails with. */
async function messagesOf(...failing: (() => unknown)[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(failing.map(async fail => fail()));
  return outcomes.map(outcome =>
    outcome.status === 'rejected' ? (outcome.reason as Error).message : 'It did not fail.',
  );
}

test('every error of the kit has its heading', () => {
  // RequestError is for `instanceof` inside the kit; nobody meets it by name.
  const met = Object.keys(errors).filter(name => name in kit);
  expect(met).toHaveLength(Object.keys(errors).length - 1);
  expect(met.filter(name => !text.includes(`\n### ${name}\n`))).toEqual([]);
});

test('the sentences stand there word for word, and no others', async () => {
  const nobody = async () => undefined;
  const sentences = [
    new errors.IdentityChangedError(),
    screenEndedError(),
    new errors.SignedOutError(),
    new errors.SessionExpiredError(),
    new errors.RefreshUnavailableError(),
    loginOverdueError(),
    new errors.LogoutUnconfirmedError(),
    new errors.ChallengeCancelledError(),
    new errors.UntrustedOriginError('https://api.example.com'),
    new errors.RedirectRefusedError('https://api.example.com/article?page=2'),
    new errors.OtherUserResponseError(),
    new errors.UnreplayableBodyError(),
    new errors.MissingParamError('GET', '/article/:id', 'id', undefined),
    new errors.MissingProviderError('useAuth()'),
    new errors.NotAListError('GET /article', [], 'an object with count, next, previous, results', 'results'),
    new NextLinkError('https://[elsewhere', 'is not an address'),
  ].map(({ message }) => message);
  const aboutCredentials = await messagesOf(
    () =>
      kit.createTokenSession({ server: true, login: async (): Promise<unknown> => ({ token: 'a', user: {} }) }).login(),
    () =>
      kit
        .createTokenSession({ server: true, login: async (): Promise<unknown> => ({ success: false, message: '' }) })
        .login(),
    () => kit.createCookieSession({ server: true, login: nobody, whoami: async () => null }).login(),
    () => kit.createCookieSession({ server: true, login: nobody, whoami: async () => ({ name: 'Ada' }) }).login(),
    () =>
      kit
        .createCookieSession({ server: true, login: nobody, whoami: async () => ({ id: 1, result: { name: 'Ada' } }) })
        .login(),
    async () => {
      const session = kit.createTokenSession({
        server: true,
        login: async () => ({ accessToken: 'a', user: { id: 'ada' } }),
        refresh: async () => ({ accessToken: 'b' }),
      });
      await session.login();
      await session.refresh().catch((error: Error) => {
        throw error.cause as Error;
      });
    },
    () => createContextSession({}, { getToken: async () => 'opaque' }).session.refresh(),
    () => assertHeaderSafe('ada\n', 'access token'),
  );
  const shown = codeBlocks({ file, text }).map(({ code }) => code.trim());
  expect(shown.sort()).toEqual([...sentences, ...aboutCredentials].sort());
});
