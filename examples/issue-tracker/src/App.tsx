import { useAuth } from 'data-client-auth';
import { AccountsProvider } from 'data-client-auth/accounts';
import { sessionClock, SessionWarning } from 'data-client-auth/clock';
import { lock } from 'data-client-auth/lock';
import { Challenge } from 'data-client-auth/step-up';
import { RouterProvider, type RouterProviderProps } from 'react-router';
import { can } from './can';
import { live } from './comments';
import { demoClock } from './demoClock';
import { DemoUsersHint } from './DemoUsersHint';
import { accounts, type session } from './session';
import './app.css';

/** Signs a user out who has been away for fifteen minutes, and warns a minute before. */
const clock = sessionClock({ idle: { after: 15 * 60_000 }, clock: demoClock });

/** Keeps the page of a user whose session has expired, or who was away: see `locked` in Layout.tsx. */
const onExpiry = lock();

export function App({ router }: Pick<RouterProviderProps, 'router'>) {
  return (
    <div className="app">
      <AccountsProvider accounts={accounts} can={can} clock={clock} managers={live} onExpiry={onExpiry}>
        <RouterProvider router={router} />
        <SessionWarning />
        <Challenge>{() => <Question />}</Challenge>
      </AccountsProvider>
    </div>
  );
}

function Question() {
  const { user } = useAuth<typeof session>();
  return (
    <>
      All closed issues will be deleted. Type your password to go on. <DemoUsersHint />
      {/* A password manager offers the password of the user whom it finds in the form. */}
      <input hidden readOnly autoComplete="username" value={user?.id ?? ''} />
    </>
  );
}
