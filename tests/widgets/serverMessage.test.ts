import { expect, test } from 'vitest';
import { refusalWithMessage, serverMessage } from '../../src/widgets/labels/failureKind.js';

test.each([
  [{ title: 'Forbidden', detail: 'Only editors may rename this.', status: 403 }, 'Only editors may rename this.'],
  [{ message: ' Only editors\n may rename this. ' }, 'Only editors may rename this.'],
  [{ title: 'You are out of credit.' }, 'You are out of credit.'],
  [{ detail: '', message: 'Out of credit.' }, 'Out of credit.'],
  [{ detail: [{ msg: 'x' }] }, undefined],
  [{ message: '<p>Forbidden</p>' }, undefined],
  [{ message: '<!doctype html>' }, undefined],
  [{ message: 'The price must be < 5.' }, 'The price must be < 5.'],
  [{ error: 'forbidden' }, undefined],
  [{ error: 'invalid_grant' }, undefined],
  [{ error: 'Bad Request' }, undefined],
  [{ error: 'Request Entity Too Large' }, undefined],
  [{ error: 'The title is taken.' }, 'The title is taken.'],
  [{ error: 'Этот заголовок уже занят.' }, 'Этот заголовок уже занят.'],
  [{ error: 'このタイトルは使われています。' }, 'このタイトルは使われています。'],
  [{ error: 'Ungültig.' }, 'Ungültig.'],
  [{ error: 'Bad Request', message: 'The title is taken.' }, 'The title is taken.'],
  [{ error: { code: 400, message: 'The title is taken.' } }, 'The title is taken.'],
  [['Forbidden'], undefined],
  ['Forbidden', undefined],
  [null, undefined],
])('in %j the server says %j', (body, said) => {
  expect(serverMessage(body)).toBe(said);
});

test('a long message is cut after 300 characters', () => {
  expect(serverMessage({ message: 'a'.repeat(301) })).toBe(`${'a'.repeat(299)}…`);
  expect(serverMessage({ message: 'a'.repeat(300) })).toBe('a'.repeat(300));
  expect(serverMessage({ message: `${'a'.repeat(298)}🦉 and more` })).toBe(`${'a'.repeat(298)}…`);
});

test.each([
  [403, 'application/json', true],
  [422, 'application/problem+json; charset=utf-8', true],
  [403, 'text/html', false],
  [401, 'application/json', false],
  [405, 'application/json', false],
  [415, 'application/json', false],
  [500, 'application/problem+json', false],
  [200, 'application/json', false],
])('the body of a %i with %s may say why: %j', (status, type, may) => {
  const response = new Response('{}', { status, headers: { 'Content-Type': type } });
  expect(refusalWithMessage(Object.assign(new Error('Refused'), { response }))).toBe(may ? response : undefined);
});

test('an error without a response says nothing', () => {
  expect(refusalWithMessage(new TypeError('Failed to fetch'))).toBeUndefined();
});
