import { createResource, Entity } from '@data-client/rest';
import { ApiEndpoint, getToken, getUser } from './api';

export class Parcel extends Entity {
  id = '';
  to = '';
  status = '';

  override pk() {
    return this.id;
  }
}

export const Parcels = createResource({ path: '/api/parcels/:id', schema: Parcel, Endpoint: ApiEndpoint });

/** The depot that the user works at, by GraphQL. */
export const getDepot = new ApiEndpoint({
  path: '/api/graphql',
  method: 'POST',
  body: {} as { query: string },
  sideEffect: undefined,
  key: () => 'depot',
  process: ({ data }: { data: { depot: { city: string; parcels: number } } }) => data.depot,
});
export const DEPOT_QUERY = '{ depot { city parcels } }';

/** A socket that sends the user's new parcels, or undefined while no user is signed in. */
export function openLive(): WebSocket | undefined {
  if (!getUser()) return undefined;
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/live`);
  socket.onopen = () =>
    void getToken().then(
      token => socket.send(token),
      () => socket.close(),
    );
  return socket;
}
