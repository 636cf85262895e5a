import { createTokenSession, RestEndpoint } from '../../../src/index.js';

/** A session of tokens that the API itself gives out, shared by all tabs. */
export function jwtSession() {
  return createTokenSession({
    login: new RestEndpoint({ path: '/auth/login', method: 'POST' }) as never,
    refresh: new RestEndpoint({ path: '/auth/refresh', method: 'POST' }) as never,
    header: 'Authorization',
    storage: 'local',
  });
}
