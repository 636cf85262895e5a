import { exportJWK, generateKeyPair } from 'jose';
import { randomUUID } from 'node:crypto';
import type { Configuration } from 'oidc-provider';

const HOUR = 3_600;

/** Lifetimes and new keys for an `oidc-provider`. @param AccessToken How long an access token lives, in seconds. */
export async function providerSettings(
  AccessToken: number | (() => number) = HOUR,
): Promise<Pick<Configuration, 'ttl' | 'cookies' | 'jwks'>> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    ttl: {
      AccessToken,
      AuthorizationCode: 60,
      IdToken: HOUR,
      RefreshToken: HOUR,
      Interaction: HOUR,
      Session: HOUR,
      Grant: HOUR,
    },
    cookies: { keys: [randomUUID()] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'signing', use: 'sig' }] },
  };
}
