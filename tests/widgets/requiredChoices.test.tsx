// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createTokenSession, LoginForm, TokenAuthProvider } from '../../src/index.js';

afterEach(cleanup);

const options = [{ value: 'expert', label: 'For experts' }];
const session = createTokenSession({ tabs: false, login: async () => ({ accessToken: 'ada-1' }) });

/** `aria-invalid` of the radio button, the checkbox and the select of a form. */
function readInvalid(required: boolean) {
  render(
    <TokenAuthProvider session={session}>
      <LoginForm
        fields={[
          { name: 'level', label: 'Level', type: 'radio', options, required },
          { name: 'terms', label: 'I agree', type: 'checkbox', required },
          { name: 'room', label: 'Room', type: 'select', options, required },
        ]}
      />
    </TokenAuthProvider>,
  );
  return (['radio', 'checkbox', 'combobox'] as const).map(role => screen.getByRole(role).getAttribute('aria-invalid'));
}

// Chromium calls them invalid without it, and screen readers say so before the user has chosen.
test('a choice that is required is not called invalid before the user has made one', () => {
  expect(readInvalid(true)).toEqual(['false', 'false', 'false']);
});

test('a choice that is not required needs no such word', () => {
  expect(readInvalid(false)).toEqual([null, null, null]);
});
