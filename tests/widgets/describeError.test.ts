import { expect, test } from 'vitest';
import {
  IdentityChangedError,
  InvalidCredentialError,
  LogoutUnconfirmedError,
  MissingParamError,
  OtherUserResponseError,
  RedirectRefusedError,
  RefreshUnavailableError,
  SignedOutError,
  UnreplayableBodyError,
  UntrustedOriginError,
} from '../../src/errors.js';
import { describeError } from '../../src/widgets/labels/englishLabels.js';
import { NextLinkError } from '../../src/widgets/nextPage/NextPage.js';

const UNREACHABLE = 'The server could not be reached. Check the connection.';
const UNREADABLE = 'The server sent something that this page cannot show.';
const UNEXPECTED = 'Something went wrong on this page. Try again, or reload the page.';
const CALLED_OFF = 'This was called off. Try again.';

const answer = (status: number) => Object.assign(new Error('Refused'), { name: 'NetworkError', status });

test('a TypeError with the status that data-client adds to those of fetch is a matter of the connection', () => {
  expect(describeError(Object.assign(new TypeError('Failed to fetch'), { status: 500 }))).toBe(UNREACHABLE);
  // The connection ended in the body, so `response.json()` failed.
  expect(describeError(Object.assign(new TypeError('network error'), { status: 400 }))).toBe(UNREACHABLE);
  const ofSchema = new TypeError('Error processing GET /article\n\nFull Schema: {}\n\nError:\nx is not a function');
  expect(describeError(Object.assign(ofSchema, { status: 400 }))).toBe(
    'The server sent something that this page cannot show.',
  );
});

test('an answer is told by its status', () => {
  const statuses = [400, 401, 403, 404, 409, 410, 412, 413, 418, 422, 429, 500, 503];
  expect(statuses.map(status => describeError(answer(status)))).toEqual([
    'The server did not accept this. Check what you entered.',
    'Sign in to continue.',
    'You do not have access to this.',
    'This does not exist, or it was deleted.',
    'Another user has changed this. Load it again and repeat your change.',
    'This does not exist, or it was deleted.',
    'Another user has changed this. Load it again and repeat your change.',
    'This is too large for the server. Send less at a time, or a smaller file.',
    'The server refused this (418).',
    'The server did not accept this. Check what you entered.',
    'Too many requests. Try again in a while.',
    'The server has a problem. Try again in a while.',
    'The server has a problem. Try again in a while.',
  ]);
});

test('an answer that cannot be read is told without the schema, the page or the parser’s words', () => {
  const schema = Object.assign(
    new Error('Error processing GET /article\n\nFull Schema: {}\n\nMissing usable primary key'),
    {
      status: 400,
    },
  );
  const parser = Object.assign(new SyntaxError('Unexpected token < in JSON'), { status: 400 });
  const page = Object.assign(answer(404), {
    message: 'Unexpected html response for schema Article',
    response: new Response('<!doctype html>', { status: 200 }),
  });
  expect([schema, parser, page].map(error => describeError(error))).toEqual([UNREADABLE, UNREADABLE, UNREADABLE]);
});

test('no error that is meant for developers speaks for itself', () => {
  const texts: [Error, string][] = [
    [new TypeError('This session has no login of its own.'), UNEXPECTED],
    [new ReferenceError('x is not defined'), UNEXPECTED],
    [new InvalidCredentialError('The access token is empty.'), UNEXPECTED],
    [new UntrustedOriginError('https://elsewhere.example'), UNEXPECTED],
    [new RedirectRefusedError('https://api.example.com/article'), UNREADABLE],
    [new OtherUserResponseError(), UNREADABLE],
    [new UnreplayableBodyError(), UNEXPECTED],
    [new MissingParamError('GET', '/article/:id', 'id', undefined), UNEXPECTED],
    [new NextLinkError('https://[elsewhere', 'is not an address'), UNEXPECTED],
    [new RefreshUnavailableError(), UNREACHABLE],
    [new LogoutUnconfirmedError(), UNREACHABLE],
    [new IdentityChangedError(), CALLED_OFF],
    [new SignedOutError(), CALLED_OFF],
    [new DOMException('signal is aborted without reason', 'AbortError'), CALLED_OFF],
  ];
  expect(texts.map(([error]) => describeError(error))).toEqual(texts.map(([, text]) => text));
});

test('an error that the app or its SDK has thrown speaks for itself', () => {
  expect(describeError(new Error('This account is locked until Monday.'))).toBe('This account is locked until Monday.');
});

test('the server’s own message goes first', () => {
  expect(describeError(answer(403), 'Only editors may rename this.')).toBe('Only editors may rename this.');
});
