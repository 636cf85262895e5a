import { useController, useSuspense } from '@data-client/react';
import { Link } from 'react-router';
import { Parcels } from '../parcels';

export function ParcelListPage() {
  const controller = useController();
  const parcels = useSuspense(Parcels.getList);
  return (
    <ul>
      {parcels.map(({ id, to, status }) => (
        <li key={id}>
          <Link to={`/parcels/${id}`}>{to}</Link> {status}{' '}
          <button onClick={() => void controller.fetch(Parcels.partialUpdate, { id }, { status: 'delivered' })}>
            Deliver
          </button>
        </li>
      ))}
    </ul>
  );
}
