import { useSuspense } from '@data-client/react';
import { useLoaderData, useParams } from 'react-router';
import { Parcels } from '../parcels';
import type { components } from '../schema';

export function ParcelPage() {
  const { id = '' } = useParams();
  const { to, status } = useSuspense(Parcels.get, { id });
  const scans = useLoaderData<components['schemas']['Scan'][]>();
  return (
    <>
      <h1>{to}</h1>
      <p>{status}</p>
      <ol>
        {scans.map(({ place, at }) => (
          <li key={at}>{`${at} ${place}`}</li>
        ))}
      </ol>
    </>
  );
}
