import { expect, test } from 'vitest';
import { createCookieSession, createSession, createTokenSession } from '../../src/entries/core.js';

const TOKEN_EXAMPLE = "createTokenSession({ login: new RestEndpoint({ path: '/login', method: 'POST' }) })";
const COOKIE_EXAMPLE =
  "createCookieSession({ login: new RestEndpoint({ path: '/login', method: 'POST' }), whoami: new RestEndpoint({ path: '/whoami' }) })";
const OWN_EXAMPLE =
  "createSession({ login, attach: ({ init }, key) => (key ? attachHeader(init, 'X-API-Key', key) : init) })";

const login = async () => ({ accessToken: 'ada-1' });

test.each([
  ['no options', undefined],
  ['empty options', {}],
  ['null', null],
  ['a login that is not a function', { login: '/login' }],
])('createTokenSession with %s names the login that is missing, and shows the line to write', (_, options) => {
  expect(() => createTokenSession(options as never)).toThrow(
    new TypeError(`createTokenSession() needs a function \`login\`. Write it as ${TOKEN_EXAMPLE}.`),
  );
});

test.each([
  [undefined, 'functions `login` and `whoami`'],
  [{ whoami: login }, 'a function `login`'],
  [{ login }, 'a function `whoami`'],
])('createCookieSession names each option that is missing', (options, missing) => {
  expect(() => createCookieSession(options as never)).toThrow(
    new TypeError(`createCookieSession() needs ${missing}. Write it as ${COOKIE_EXAMPLE}.`),
  );
});

test.each([undefined, {}, { login }])('createSession says that a mechanism attaches its credential', mechanism => {
  expect(() => createSession(mechanism as never)).toThrow(
    new TypeError(`createSession() needs a function \`attach\`. Write it as ${OWN_EXAMPLE}.`),
  );
});
