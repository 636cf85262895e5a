import { createTokenSession } from '../../../src/index.js';
import type { Grant, OpenIdClient } from './openIdClient.js';

/** A session over an OpenID client, shared by all tabs. With `untold`, the page does not know when a token expires. */
export function oidcSession(client: OpenIdClient, expiry: string | null) {
  const answerOf = ({ subject, expiresAt, ...tokens }: Grant) => ({
    ...tokens,
    ...(expiry !== 'untold' && { expiresAt }),
    ...(subject !== undefined && { user: { id: subject } }),
  });
  return createTokenSession({
    login: async () => answerOf(await client.comeBack()),
    refresh: async ({ refreshToken }) => answerOf(await client.renew(refreshToken)),
    logout: ({ refreshToken }) => client.revoke(refreshToken),
    header: 'Authorization',
    storage: 'local',
  });
}
