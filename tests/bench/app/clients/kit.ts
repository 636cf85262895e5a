import { authEndpoint, createTokenSession, RestEndpoint } from '../../../../src/index.js';
import { EXPIRED, FIRST_REFRESH_TOKEN, type Client } from './Client.js';

export async function kit(urlPrefix: string): Promise<Client> {
  const session = createTokenSession({
    login: async () => ({ accessToken: EXPIRED, refreshToken: FIRST_REFRESH_TOKEN, user: { id: 'ada' } }),
    refresh: new RestEndpoint({ urlPrefix, path: '/refresh', method: 'POST' }),
    header: 'Authorization',
  });
  await session.login();
  const get = new (authEndpoint(session))({ urlPrefix, path: '/data/:id' });
  return { get: id => get({ id }) };
}
