import { Authenticated, useAuth } from 'data-client-auth';
import { useActor } from 'data-client-auth/accounts';
import { LoginForm } from 'data-client-auth/widgets';
import { Outlet, useNavigate } from 'react-router';
import { DemoControls } from './DemoControls';
import { DemoUsersHint } from './DemoUsersHint';
import { Person } from './Person';
import { DEMO_USERS, type User } from './demoUsers';
import { stopViewing, viewAs, type session } from './session';
import { useFocusOnPage } from './useFocusOnPage';

/**
 * The frame of each page. After an expiry or an idle end the sign-in form covers the page, which the same user continues. After fifteen
 * minutes more it replaces the page, at the same address.
 */
export function Layout() {
  return (
    <Authenticated
      fallback={<LoginForm remember className="centered" links={<DemoUsersHint />} />}
      locked={<LockedForm />}
    >
      <Header />
      <DemoControls />
      <Page />
    </Authenticated>
  );
}

/** The page of a signed-in user. */
function Page() {
  const page = useFocusOnPage();
  return (
    <main ref={page} tabIndex={-1}>
      <Outlet />
    </main>
  );
}

/** Names the user whose page the dialog covers. */
function LockedForm() {
  const { user } = useAuth<typeof session>();
  return <LoginForm remember title={user?.name} links={<DemoUsersHint />} />;
}

function Header() {
  const { user, logout } = useAuth<typeof session>();
  const navigate = useNavigate();
  const signOut = () => {
    // The sign-in page says so if the server does not confirm it.
    void logout();
    void navigate('/login');
  };
  return (
    <header>
      <strong className="grow">Tern</strong>
      <ViewAs />
      {user && <Person id={user.id} />}
      <button type="button" className="dca-button" onClick={signOut}>
        Sign out
      </button>
    </header>
  );
}

/** A maintainer sees the app as a reporter does, and goes back without a password. */
function ViewAs() {
  const { user } = useAuth<typeof session>();
  const actor = useActor<User>();
  const reporter = DEMO_USERS.find(({ role }) => role === 'reporter');
  if (actor)
    return (
      <button type="button" className="dca-button" onClick={() => void stopViewing()}>
        Back to {actor.name}
      </button>
    );
  if (user?.role !== 'maintainer' || !reporter) return null;
  return (
    <button type="button" className="dca-button" onClick={() => void viewAs(reporter.id)}>
      View as {reporter.name}
    </button>
  );
}
