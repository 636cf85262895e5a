import { expect, test } from 'vitest';
import { RefreshUnavailableError } from '../../src/index.js';
import { InvalidCredentialError, UntrustedOriginError } from '../../src/errors.js';
import { describeLoginError } from '../../src/widgets/form/LoginForm.js';
import { ENGLISH_LABELS } from '../../src/widgets/labels/englishLabels.js';

const withStatus = <E extends Error>(error: E, status: number) => Object.assign(error, { status });

test.each([
  new InvalidCredentialError('The server answered nothing.'),
  new UntrustedOriginError('https://api.example.com'),
  new TypeError('login is not a function'),
  withStatus(new SyntaxError('Unexpected token'), 400),
  withStatus(new Error('Not Found'), 404),
])('the user of the app does not see the text for developers: %s', error => {
  expect(describeLoginError(error, undefined, ENGLISH_LABELS)).toBe('Signing in did not work. Try again later.');
});

test.each([
  [withStatus(new Error('Unauthorized'), 401), 'The user name or the password is wrong.'],
  [withStatus(new TypeError('Failed to fetch'), 500), 'The server could not be reached. Check the connection.'],
  [new RefreshUnavailableError(), 'The server could not be reached. Check the connection.'],
  [new Error('This account is locked.'), 'This account is locked.'],
])('an error that is about the user or the network, or that the app threw, has its own text: %s', (error, text) => {
  expect(describeLoginError(error, undefined, ENGLISH_LABELS)).toBe(text);
});

test('a message of the server is shown, but for a wrong password', () => {
  const said = (status: number) =>
    describeLoginError(withStatus(new Error('Refused'), status), 'Wait for a minute.', ENGLISH_LABELS);
  expect([said(429), said(401)]).toEqual(['Wait for a minute.', 'The user name or the password is wrong.']);
});
