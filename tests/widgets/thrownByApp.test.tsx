// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { createTokenSession, TokenAuthProvider } from '../../src/index.js';
import { LoginForm } from '../../src/entries/widgets.js';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** What a user reads after a login that rejects so. */
async function textAfter(thrown: unknown): Promise<string | null> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what an app may throw
  const session = createTokenSession({ login: () => Promise.reject(thrown) });
  render(
    <TokenAuthProvider session={session}>
      <LoginForm />
    </TokenAuthProvider>,
  );
  await userEvent.type(screen.getByLabelText('User name'), 'ada');
  await userEvent.type(screen.getByLabelText('Password'), 'lovelace');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  return (await screen.findByRole('alert')).textContent;
}

test.each([
  ['a text, which is for the user', 'The account is locked.', 'The account is locked.'],
  ['the response', new Response('', { status: 503 }), 'The server has a problem. Try again in a while.'],
  ['an object with a message', { message: 'The account is locked.' }, 'The account is locked.'],
  ['an object without one', { code: 7 }, 'Signing in did not work. Try again later.'],
])('a login that throws %s', async (_, thrown, text) => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await textAfter(thrown)).toBe(text);
});

test('a login that rejects with nothing tells the developer', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await textAfter(undefined)).toBe('Signing in did not work. Try again later.');
  expect(error.mock.calls.flat()).toContain(
    'data-client-auth: TypeError: A promise was rejected with undefined in place of an error. Throw an Error.',
  );
});
