// @vitest-environment jsdom
import { getDefaultManagers, PollingSubscription, SubscriptionManager } from '@data-client/react';
import { act, cleanup, render, screen } from '@testing-library/react';
import { startTransition, Suspense, useContext, useLayoutEffect, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { managers } from '../../src/entries/managers.js';
import { SessionContext } from '../../src/endpoints/SessionContext.js';
import { ContextTokenProvider, createTokenSession, TokenAuthProvider } from '../../src/index.js';
import { useLatest } from '../../src/providers/useLatest.js';
import { catchErrors } from '../dataClient/support/catchErrors.js';
import { settle } from '../session/support/manualClock.js';

afterEach(cleanup);
afterEach(() => void vi.restoreAllMocks());

test('an effect below, in the render that brings another user, finds the session with this user', () => {
  const found: [prop: string, session: string | undefined][] = [];
  function Effect({ subject }: { subject: string }) {
    const session = useContext(SessionContext)?.session;
    useLayoutEffect(() => void found.push([subject, session?.getSubject()]), [subject, session]);
    return null;
  }
  const app = (subject: string) => (
    <ContextTokenProvider subject={subject} token={`${subject}-1`}>
      <Effect subject={subject} />
    </ContextTokenProvider>
  );
  const { rerender } = render(app('ada'));
  rerender(app('grace'));
  expect(found.at(0)).toEqual(['ada', 'ada']);
  expect(found.at(-1)).toEqual(['grace', 'grace']);
  expect(found.filter(([prop, session]) => prop !== session)).toEqual([]);
});

const REMEDY =
  '`managers` has to be a function that returns an array, in managers() of data-client-auth/managers: managers={managers(() => [new YourManager()])}. The array that data-client takes would be shared by all users.';

/** An app that moves to the kit has an array. */
test.each([getDefaultManagers(), () => getDefaultManagers()])(
  'the provider takes no %s: the error names the remedy',
  given => {
    const session = createTokenSession({ login: async () => ({ accessToken: 'ada-1' }) });
    vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what a component has thrown.
    const page = (
      <TokenAuthProvider session={session} managers={given as never}>
        The page
      </TokenAuthProvider>
    );
    expect(() => render(page)).toThrow(new TypeError(REMEDY));
    session.dispose();
  },
);

test('managers() takes no array', () => {
  expect(() => managers(getDefaultManagers() as never)).toThrow(new TypeError(REMEDY));
});

test('a function that returns one manager and no array: the error names the remedy, and the page works', async () => {
  const { thrown } = catchErrors();
  const session = createTokenSession({ login: async () => ({ accessToken: 'ada-1' }) });
  const one = managers(() => new SubscriptionManager(PollingSubscription) as never);
  render(
    <TokenAuthProvider session={session} managers={one}>
      The page
    </TokenAuthProvider>,
  );
  await settle();
  expect(thrown).toEqual([new TypeError(REMEDY)]);
  expect(screen.getByText('The page')).toBeTruthy();
  session.dispose();
});

const never = new Promise<never>(() => {});

test('a callback reads the value that is shown, and not one of a render that React throws away', () => {
  let read!: () => string;
  let show!: (value: string) => void;
  function Callback({ value }: { value: string }) {
    const latest = useLatest(value);
    read = () => latest.current;
    return <>{value}</>;
  }
  function Suspended(): null {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how React 18 suspends
    throw never;
  }
  function App() {
    const [value, setValue] = useState('first');
    show = setValue;
    return (
      <>
        <Callback value={value} />
        {value === 'waits' && <Suspended />}
      </>
    );
  }
  const { container } = render(
    <Suspense>
      <App />
    </Suspense>,
  );
  act(() => startTransition(() => show('waits')));
  expect([container.textContent, read()]).toEqual(['first', 'first']);
  act(() => show('second'));
  expect([container.textContent, read()]).toEqual(['second', 'second']);
});
