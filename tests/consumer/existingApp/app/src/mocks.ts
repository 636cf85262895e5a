import { http, HttpResponse } from 'msw';

const parcels = [
  { id: '1', to: 'Charles Babbage', status: 'on its way' },
  { id: '2', to: 'Mary Somerville', status: 'delivered' },
];

/** The server of the stories. It checks no token. */
export const handlers = [
  http.get('/api/parcels', () => HttpResponse.json(parcels)),
  http.get('/api/parcels/:id', ({ params }) => HttpResponse.json(parcels.find(({ id }) => id === params.id))),
];
