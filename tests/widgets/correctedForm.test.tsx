// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { createTokenSession, Entity, hookifyResource, resource, TokenAuthProvider } from '../../src/index.js';
import { ResourceForm } from '../../src/entries/widgets.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';

afterEach(cleanup);

class Article extends Entity {
  id = '';
  title = '';
  content = '';
}

const Articles = hookifyResource(
  resource({ urlPrefix: 'https://api.example.com', path: '/article/:id', schema: Article }),
);

const fields = [
  { name: 'title', label: 'Title' },
  { name: 'content', label: 'Content' },
] as const;

/** A form whose server has refused it with this body. */
async function refusedForm(body: object, renderError?: (error: Error) => ReactNode) {
  mockServer({ 'POST /article': () => json(body, 422) });
  const session = createTokenSession({
    login: async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }),
  });
  await session.login();
  await act(async () => {
    render(
      <TokenAuthProvider session={session}>
        <ResourceForm resource={Articles} action="push" fields={fields} renderError={renderError} />
      </TokenAuthProvider>,
    );
  });
  fireEvent.submit(await screen.findByRole('form'));
  await screen.findByRole('alert');
}

const correct = (label: string) => fireEvent.change(screen.getByLabelText(label), { target: { value: 'On writing' } });

test('the alert goes when the user has edited each field with a message', async () => {
  await refusedForm({ errors: { title: ['is too short'], content: ['is missing'] } });
  correct('Title');
  expect(screen.queryByRole('alert')).not.toBeNull();
  correct('Content');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an alert with a message for the whole form stays', async () => {
  await refusedForm({ title: ['is too short'], non_field_errors: ['Write more than that.'] });
  correct('Title');
  expect(screen.getByRole('alert').textContent).toBe('Write more than that.');
});

test('an alert that the app renders stays', async () => {
  await refusedForm({ errors: { title: ['is too short'] } }, () => 'Call us.');
  correct('Title');
  expect(screen.getByRole('alert').textContent).toBe('Call us.');
});

test('an alert about no field stays while the user edits', async () => {
  await refusedForm({ message: 'Not today.' });
  correct('Title');
  correct('Content');
  expect(screen.queryByRole('alert')).not.toBeNull();
});
