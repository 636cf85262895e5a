import { test } from 'vitest';
import { RestEndpoint } from '../../src/index.js';
import { permissions, type PermissionsOptions } from '../../src/entries/permissions.js';

const path = '/permissions';

test('the parameters of `ask` have types without annotations', () => {
  permissions({ ask: async questions => questions.map(({ action }) => action !== 'delete') });
  permissions({ ask: async (questions, user: { id: string }) => questions.map(() => user.id === 'ada') });
  // @ts-expect-error an answer is no text
  permissions({ ask: async questions => questions.map(() => 'yes') });
});

test('`ask` is an endpoint, with a type of its body or without', () => {
  const body = {} as { questions: readonly { action: string }[] };
  permissions({ ask: new RestEndpoint({ path, method: 'POST' }) });
  permissions({ ask: new RestEndpoint({ path, method: 'POST', body }) });
  permissions({ fromUser: ({ action }, user: { may: readonly string[] } | undefined) => user?.may.includes(action) });
});

test('options that may have either kind of `ask`', () => {
  const options = {} as PermissionsOptions<unknown>;
  permissions(options);
});
