import { afterEach, expect, test, vi } from 'vitest';
import { IdentityChangedError, InvalidCredentialError, RefreshUnavailableError } from '../../src/errors.js';
import { logDeveloperError } from '../../src/widgets/shared/ErrorView.js';

const recordConsole = () => vi.spyOn(console, 'error').mockImplementation(() => {});

afterEach(() => {
  vi.restoreAllMocks();
});

test('a text for developers is written once for each error, without the other properties of the error', () => {
  const written = recordConsole();
  const error = Object.assign(new InvalidCredentialError('The access token is empty.'), { accessToken: 'secret' });
  logDeveloperError(error);
  logDeveloperError(error);
  logDeveloperError(new TypeError('x is undefined'));
  expect(written.mock.calls).toEqual([
    ['data-client-auth: InvalidCredentialError: The access token is empty.'],
    ['data-client-auth: TypeError: x is undefined'],
  ]);
});

test('a failed refresh is told by its cause, as far as a developer can do something about it', () => {
  const written = recordConsole();
  logDeveloperError(new RefreshUnavailableError(new InvalidCredentialError('The refresh sent no refresh token.')));
  logDeveloperError(
    new RefreshUnavailableError(Object.assign(new Error('Down'), { name: 'NetworkError', status: 503 })),
  );
  expect(written.mock.calls).toEqual([
    ['data-client-auth: InvalidCredentialError: The refresh sent no refresh token.'],
  ]);
});

test('answers of the server, other identities and the app’s own errors are not written', () => {
  const written = recordConsole();
  logDeveloperError(Object.assign(new Error('Forbidden'), { name: 'NetworkError', status: 403 }));
  logDeveloperError(Object.assign(new TypeError('Failed to fetch'), { status: 500 }));
  logDeveloperError(new IdentityChangedError());
  logDeveloperError(new Error('This account is locked.'));
  expect(written).not.toHaveBeenCalled();
});
