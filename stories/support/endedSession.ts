import { http, HttpResponse } from 'msw';
import { atStart } from './atStart.js';

const unauthorized = () => HttpResponse.json({}, { status: 401 });

/** A session that has ended on the server: it refuses the first read, and then the refresh. */
export const endedSession = atStart(({ msw }) =>
  msw.use(
    http.get('/api/article', unauthorized, { once: true }),
    http.post('/api/refresh', unauthorized, { once: true }),
  ),
);
