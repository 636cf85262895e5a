import type { Controller } from '@data-client/react';
import { client } from './api';
import { DEPOT_QUERY, getDepot, Parcels } from './parcels';
import { toast } from './toast';

const IDS = Array.from({ length: 10 }, (_, index) => `${index + 1}`);

async function getScans(id: string) {
  const { data, response } = await client.GET('/api/parcels/{id}/scans', { params: { path: { id } } });
  if (!data) throw new Error(`The scans have status ${response.status}.`);
  return data;
}

/** Reads each parcel, its scans and the depot again, all at once. */
export async function refreshAll(controller: Controller): Promise<void> {
  const settled = await Promise.allSettled([
    ...IDS.map(id => controller.fetch(Parcels.get, { id })),
    ...IDS.map(getScans),
    controller.fetch(getDepot, { query: DEPOT_QUERY }),
  ]);
  const [done, failed] = ['fulfilled', 'rejected'].map(how => settled.filter(({ status }) => status === how).length);
  for (const result of settled)
    if (result.status === 'rejected') console.warn(result.reason, (result.reason as Error).cause);
  toast(`Refreshed: ${done} done, ${failed} failed`);
}
