import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import { Link, Outlet, useNavigate } from 'react-router';
import { getUser, logout } from '../api';
import { DEPOT_QUERY, getDepot } from '../parcels';
import { refreshAll } from '../refreshAll';

function Depot() {
  const { city, parcels } = useSuspense(getDepot, { query: DEPOT_QUERY });
  return <p>{`Depot ${city}: ${parcels} parcels`}</p>;
}

/** The frame of every page of a signed-in user. */
export function Desk() {
  const navigate = useNavigate();
  const controller = useController();

  async function signOut() {
    // First, because the pages would read their data again from the empty store.
    await navigate('/login');
    await logout();
    await controller.resetEntireStore();
  }

  return (
    <>
      <header>
        <Link to="/">{`Parcels of ${getUser()?.name}`}</Link>
        <AsyncBoundary fallback={<p>…</p>}>
          <Depot />
        </AsyncBoundary>
        <button onClick={() => void refreshAll(controller)}>Refresh all</button>
        <Link to="/login">Switch user</Link>
        <button onClick={() => void signOut()}>Sign out</button>
      </header>
      <AsyncBoundary fallback={<p>Loading…</p>}>
        <Outlet />
      </AsyncBoundary>
    </>
  );
}
