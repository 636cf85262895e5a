import express from 'express';
import { exportJWK, generateKeyPair } from 'jose';
import { randomUUID } from 'node:crypto';
import Provider, { type Configuration, type RefreshToken } from 'oidc-provider';
import { createGate } from '../../../src/testing/createGate.js';
import { createServerLog, signed } from './createServerLog.js';
import { listen } from './listen.js';
import { noteRoutes } from './noteRoutes.js';
import { openDatabase } from './openDatabase.js';
import { PAGE_SIZE, SHELVES } from './people.js';
import type { ServerOptions } from './ServerOptions.js';

export interface OidcServerOptions extends ServerOptions {
  /** How long an access token lives at first, in seconds. */
  lifetime: number;
}

const HOUR = 3_600;
const API_SECRET = randomUUID();

/** A public client with rotating refresh tokens, and an API that may ask about tokens. */
async function configuration(page: string, lifetime: () => number): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    clients: [
      {
        client_id: 'page',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [page],
      },
      { client_id: 'api', client_secret: API_SECRET, grant_types: [], response_types: [], redirect_uris: [] },
    ],
    scopes: ['openid', 'offline_access'],
    rotateRefreshToken: true,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: true },
      introspection: { enabled: true, allowedPolicy: (_ctx, client) => client.clientId === 'api' },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    },
    clientBasedCORS: (_ctx, origin) => page.startsWith(`${origin}/`),
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ttl: {
      AccessToken: lifetime,
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

/** What became of the refresh tokens and their families, in the provider's own words. */
function eventsOf(provider: Provider): string[] {
  const events: string[] = [];
  const noteToken = (event: string) => (token: RefreshToken) => events.push(`${event} ${token.accountId}`);
  provider.on('refresh_token.saved', noteToken('refresh_token.saved'));
  provider.on('refresh_token.consumed', noteToken('refresh_token.consumed'));
  provider.on('refresh_token.destroyed', noteToken('refresh_token.destroyed'));
  provider.on('grant.revoked', ({ oidc }) =>
    events.push(`grant.revoked ${(oidc.entities.Grant ?? oidc.entities.RefreshToken)?.accountId}`),
  );
  provider.on('grant.error', (_ctx, error) => events.push(`grant.error ${error.error}: ${error.error_detail}`));
  provider.on('server_error', (_ctx, error) => events.push(`server_error ${error.message}`));
  return events;
}

/**
 * `oidc-provider` on one port, and on another one an API that asks it about the access token of each call, by introspection.
 *
 * A refresh token is good for one use; a second use revokes its whole family.
 */
export async function oidcServer({ pages, file, ...options }: OidcServerOptions) {
  let { lifetime } = options;
  const database = openDatabase(file, SHELVES);
  const log = createServerLog();
  const api = await listen(0);
  const door = await listen(0);
  const url = `http://127.0.0.1:${api.port}`;
  // Another site than the page, as providers are.
  const issuer = `http://localhost:${door.port}`;

  const provider = new Provider(issuer, await configuration(`${url}/`, () => lifetime));
  const events = eventsOf(provider);
  const tokenGate = createGate();
  const answerGate = createGate();
  let isDown = false;
  provider.use(async (ctx, next) => {
    if (ctx.path !== '/token' || ctx.method !== 'POST') return next();
    await tokenGate.pass();
    if (!isDown) {
      await next();
      return answerGate.pass();
    }
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.status = 503;
  });
  door.answer((request, response) => void provider.callback()(request, response));

  const accessTokens = new Map<string, { owner: string | undefined; endsAt: number }>();
  const refreshTokens = new Set<string>();
  const grants = new Set<string>();
  provider.on('access_token.saved', ({ jti, accountId }) =>
    accessTokens.set(jti, { owner: accountId, endsAt: Date.now() + lifetime * 1000 }),
  );
  provider.on('refresh_token.saved', ({ jti, grantId }) => {
    refreshTokens.add(jti);
    grants.add(grantId as string);
  });

  async function isActive(token: string): Promise<boolean> {
    const answer = await fetch(`${issuer}/token/introspection`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`api:${API_SECRET}`)}` },
      body: new URLSearchParams({ token }),
    });
    return ((await answer.json()) as { active: boolean }).active;
  }

  const app = express();
  app.use(express.static(pages));
  app.use('/api', log.write, express.json(), async (request, response, next) => {
    const token = request.get('authorization')?.replace(/^Bearer /, '') ?? '';
    signed(response, accessTokens.get(token)?.owner);
    if (await isActive(token)) next();
    else response.status(401).set('WWW-Authenticate', 'Bearer error="invalid_token"').json({ error: 'invalid_token' });
  });
  app.use('/api', noteRoutes({ database, pageSize: PAGE_SIZE }));
  api.answer(app);

  return {
    url,
    issuer,
    log,
    /** What became of the refresh tokens and their families, in the provider's own words. */
    events,
    /** Holds all calls of the token endpoint back, before the provider sees them. */
    holdTokenEndpoint: tokenGate.hold,
    /** Holds its answers back: what was asked for has happened. */
    holdTokenAnswers: answerGate.hold,
    /** From now on the token endpoint has no answer but 503; or it has again. */
    setDown: (down: boolean) => void (isDown = down),
    /** How long access tokens live that are given out from now on, in seconds. */
    setLifetime: (given: number) => void (lifetime = given),
    /** The access tokens have been revoked by the provider, and the refresh tokens have not. */
    revokeAccessTokens: () =>
      Promise.all([...accessTokens.keys()].map(async token => (await provider.AccessToken.find(token))?.destroy())),
    /** The provider has revoked all tokens of every sign-in. */
    revokeFamilies: () =>
      Promise.all(
        [...grants].flatMap(grant => [
          provider.AccessToken.revokeByGrantId(grant),
          provider.RefreshToken.revokeByGrantId(grant),
        ]),
      ),
    /** Whether the provider has given out access tokens, and none of them is good any more. */
    allExpired: () => accessTokens.size > 0 && [...accessTokens.values()].every(({ endsAt }) => endsAt < Date.now()),
    /** What no page may show. */
    secrets: () => [...accessTokens.keys(), ...refreshTokens],
    close: async () => {
      await Promise.all([api.close(), door.close()]);
      database.close();
    },
  };
}

export type OidcServer = Awaited<ReturnType<typeof oidcServer>>;
