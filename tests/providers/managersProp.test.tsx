// @vitest-environment jsdom
import { getDefaultManagers, PollingSubscription, SubscriptionManager } from '@data-client/react';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createTokenSession, TokenAuthProvider } from '../../src/index.js';
import { catchErrors } from '../dataClient/support/catchErrors.js';
import { settle } from '../session/support/manualClock.js';

afterEach(cleanup);

test.each([
  ['an array, as data-client’s own provider takes it', getDefaultManagers()],
  ['a function that returns one manager', () => new SubscriptionManager(PollingSubscription)],
])('%s is no `managers`: the error names the remedy, and the page works', async (_, managers) => {
  const { thrown } = catchErrors();
  const session = createTokenSession({ login: async () => ({ accessToken: 'ada-1' }) });
  render(
    <TokenAuthProvider session={session} managers={managers as never}>
      The page
    </TokenAuthProvider>,
  );
  await settle();
  expect(thrown).toEqual([
    new TypeError(
      '`managers` has to be a function that returns an array: managers={() => [new YourManager()]}. The array that data-client takes would be shared by all users.',
    ),
  ]);
  expect(screen.getByText('The page')).toBeTruthy();
  session.dispose();
});
