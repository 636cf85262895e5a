import express, { type Request, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import Provider, { interactionPolicy, type Configuration, type RefreshToken } from 'oidc-provider';
import { createGate } from '../../../src/testing/createGate.js';
import { createServerLog, signed } from './createServerLog.js';
import { listen } from './listen.js';
import { noteRoutes } from './noteRoutes.js';
import { openDatabase } from './openDatabase.js';
import { PAGE_SIZE, personWith, SHELVES } from './people.js';
import { providerSettings } from './providerSettings.js';
import type { ServerOptions } from './ServerOptions.js';

export interface OidcServerOptions extends ServerOptions {
  /** How long an access token lives at first, in seconds. */
  lifetime: number;
}

const API_SECRET = randomUUID();

/** The authentication that the provider's page below gives. */
export const PASSWORD_ACR = 'urn:notes:password';

/** Asks the user when an authorization request has `acr_values` that the user's last authentication does not meet. */
function stepUpPolicy() {
  const { base, Check } = interactionPolicy;
  const policy = base();
  const check = new Check('acr_values', 'another authentication is asked for', ({ oidc }) => {
    const wanted = oidc.params?.acr_values;
    const isMet = typeof wanted !== 'string' || wanted.split(' ').includes(oidc.acr ?? '') || oidc.result?.login;
    return isMet ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
  });
  policy.get('login')?.checks.add(check);
  return policy;
}

/** The provider's page for a step-up: asks for the password once more. All other pages are those of `oidc-provider`. */
function stepUpPages(provider: Provider) {
  const show = (response: Response, person: string) =>
    response.send(`<!doctype html><title>Confirm</title>
      <form method="post" action="${response.req.path.replace(/\/password$/, '')}/password">
        <label>Name <input name="username" value="${person}" autocomplete="username"></label>
        <label>Password <input name="password" type="password" autocomplete="current-password"></label>
        <button>Confirm</button>
      </form>`);
  const routes = express();
  routes.get('/interaction/:uid', async (request, response, next) => {
    const { params, prompt, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login' && params.acr_values !== undefined) show(response, session?.accountId ?? '');
    else next();
  });
  const submit = async (request: Request, response: Response) => {
    const accountId = personWith(request.body);
    if (accountId === undefined) return void show(response.status(401), request.body.username);
    const login = { accountId, acr: PASSWORD_ACR };
    await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  };
  routes.post('/interaction/:uid/password', express.urlencoded(), submit);
  routes.use(provider.callback());
  return routes;
}

/** A public client with rotating refresh tokens, and an API that may ask about tokens. */
async function configuration(page: string, lifetime: () => number): Promise<Configuration> {
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
    acrValues: [PASSWORD_ACR],
    interactions: { policy: stepUpPolicy() },
    // What the introspection tells the API besides the usual: how and when the user has authenticated (RFC 9470, section 6.2).
    extraTokenClaims: ({ oidc: { entities } }) => {
      const { acr, authTime } = entities.AuthorizationCode ?? entities.RefreshToken ?? {};
      return { acr, auth_time: authTime };
    },
    rotateRefreshToken: true,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: true },
      introspection: { enabled: true, allowedPolicy: (_ctx, client) => client.clientId === 'api' },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    },
    clientBasedCORS: (_ctx, origin) => page.startsWith(`${origin}/`),
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ...(await providerSettings(lifetime)),
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
  const listener = await listen(0);
  const url = `http://127.0.0.1:${api.port}`;
  // Another site than the page, as providers are.
  const issuer = `http://localhost:${listener.port}`;

  const provider = new Provider(issuer, await configuration(`${url}/`, () => lifetime));
  const events = eventsOf(provider);
  const tokenGate = createGate();
  const answerGate = createGate();
  let isDown = false;
  const authorizations: string[] = [];
  let demand: { readonly acr: string; readonly maxAge: number } | undefined;
  provider.use(async (ctx, next) => {
    if (ctx.path === '/auth')
      authorizations.push(`acr_values=${String(ctx.query.acr_values)} max_age=${String(ctx.query.max_age)}`);
    return next();
  });
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
  listener.answer(stepUpPages(provider));

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

  /** What the provider knows about a token. */
  async function introspect(token: string): Promise<{ active: boolean; acr?: string; auth_time?: number }> {
    const answer = await fetch(`${issuer}/token/introspection`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`api:${API_SECRET}`)}` },
      body: new URLSearchParams({ token }),
    });
    return answer.json() as Promise<{ active: boolean }>;
  }

  const app = express();
  app.use(express.static(pages));
  app.use('/api', log.write, express.json(), async (request, response, next) => {
    const token = request.get('authorization')?.replace(/^Bearer /, '') ?? '';
    signed(response, accessTokens.get(token)?.owner);
    const { active, acr, auth_time: authTime = 0 } = await introspect(token);
    const refuse = (error: string, more = '') =>
      void response.status(401).set('WWW-Authenticate', `Bearer error="${error}"${more}`).json({ error });
    if (!active) return refuse('invalid_token');
    if (!demand || request.method !== 'DELETE') return next();
    const isMet = acr === demand.acr && authTime + demand.maxAge >= Date.now() / 1000;
    if (isMet) next();
    else refuse('insufficient_user_authentication', `, acr_values="${demand.acr}", max_age="${demand.maxAge}"`);
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
    /** The `acr_values` and the `max_age` of each authorization request so far. */
    authorizations,
    /** From now on, a deletion needs this authentication, at most so many seconds old. */
    demandOnDelete: (acr: string, maxAge: number) => void (demand = { acr, maxAge }),
    /** What no page may show. */
    secrets: () => [...accessTokens.keys(), ...refreshTokens],
    close: async () => {
      await Promise.all([api.close(), listener.close()]);
      database.close();
    },
  };
}

export type OidcServer = Awaited<ReturnType<typeof oidcServer>>;
