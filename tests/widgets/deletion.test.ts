import type { Controller } from '@data-client/react';
import { expect, test } from 'vitest';
import { Entity } from '../../src/dataClient/rest.js';
import { resource } from '../../src/endpoints/resource.js';
import { createDeletion, toDeleteEndpoint } from '../../src/widgets/actions/deletion.js';
import type { LooseEndpoint } from '../../src/widgets/shared/resource.js';

class Article extends Entity {
  id = 0;
  title = '';
}

const endpoint = resource({ path: '/article/:slug', schema: Article }).delete as unknown as LooseEndpoint;
const item = Article.fromJS({ id: 5, title: 'On tides' });
const params = { slug: 'on-tides' };

test.each([
  ['nothing', null],
  ['an empty text', ''],
  ['a message', { message: 'Deleted.' }],
  ['a count', 1],
  ['another record', { id: 6 }],
])('the answer to a deletion is %s: the record that was deleted is meant', (_, answer) => {
  expect(toDeleteEndpoint(endpoint, item).process(answer, params)).toMatchObject({ id: 5, slug: 'on-tides' });
});

test('an answer that names the record stays as it is', () => {
  const answer = { id: 5, title: 'On tides', deletedBy: 'Ada' };
  expect(toDeleteEndpoint(endpoint, item).process(answer, params)).toEqual(answer);
});

test('an answer for another schema than `Invalidate` is for the app', () => {
  const archive = endpoint.extend({ schema: Article });
  expect(toDeleteEndpoint(archive, item).process({ message: 'Archived.' }, params)).toEqual({ message: 'Archived.' });
});

test('a page is no answer of the API', () => {
  const { process } = toDeleteEndpoint(endpoint, item);
  expect(() => process('<!doctype html>', params)).toThrow(SyntaxError);
});

test.each([
  [404, true],
  [410, true],
  [403, false],
  [500, false],
])('the server answers %s: the record goes here too: %s', async (status, isGone) => {
  const error = Object.assign(new Error('refused'), { status, response: new Response(null, { status }) });
  const removed: unknown[] = [];
  const controller = {
    fetch: () => Promise.reject(error),
    setResponse: (_endpoint: unknown, _params: unknown, answer: unknown) => Promise.resolve(void removed.push(answer)),
  } as unknown as Controller;
  const sent = createDeletion(controller, endpoint, item, params).send();
  await (isGone ? sent : expect(sent).rejects.toBe(error));
  expect(removed).toMatchObject(isGone ? [{ id: 5 }] : []);
});
