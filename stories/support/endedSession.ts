import { http, HttpResponse } from 'msw';
import { atStart } from './atStart.js';

const unauthorized = () => HttpResponse.json({}, { status: 401 });

/** A session that has ended on the server: the first read is refused, and so is the refresh after it. */
export const endedSession = atStart(({ msw }) =>
  msw.use(
    http.get('/api/article', unauthorized, { once: true }),
    http.post('/api/refresh', unauthorized, { once: true }),
  ),
);
