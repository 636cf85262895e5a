import express, { type RequestHandler } from 'express';
import Provider, { type Configuration } from 'oidc-provider';
import { createServerLog, signed, signer } from './createServerLog.js';
import { listen } from './listen.js';
import { providerSettings } from './providerSettings.js';

const PAGE_SIZE = 3;

/** Rows of whoever the token belongs to, three on each of two pages. */
function articlesOf(owner: string, page: number) {
  const first = (page - 1) * PAGE_SIZE + 1;
  return page > 2
    ? []
    : Array.from({ length: PAGE_SIZE }, (_, index) => ({
        id: `${owner}-${first + index}`,
        title: `${owner}’s row ${first + index}`,
      }));
}

/**
 * The page of an SDK's recipe on a free port, with its API.
 *
 * @param ownerOf Returns the user of an access token; undefined for a token that the API refuses.
 */
export async function sdkApp(ownerOf: (token: string) => string | undefined) {
  const listener = await listen(0);
  const url = `http://127.0.0.1:${listener.port}`;
  const log = createServerLog();
  let script = '';
  const app = express();
  app.get('/', (_request, response) => {
    response
      .type('html')
      .send(
        '<!doctype html><title>A recipe</title><div id="root"></div><script type="module" src="/recipe.js"></script>',
      );
  });
  app.get('/recipe.js', (_request, response) => void response.type('js').send(script));
  app.get('/favicon.ico', (_request, response) => void response.status(204).end());
  app.get('/article', log.write, (request, response) => {
    const owner = ownerOf(request.get('authorization')?.replace(/^Bearer /, '') ?? '');
    signed(response, owner);
    if (owner === undefined) return void response.status(401).json({ error: 'invalid_token' });
    response.json(articlesOf(signer(response) as string, Number(request.query.page ?? 1)));
  });
  listener.answer(app);
  return { url, log, serve: (given: string) => void (script = given), close: listener.close };
}

export type SdkApp = Awaited<ReturnType<typeof sdkApp>>;

/** Most providers give a refresh token for the scope `offline_access`; `oidc-provider` wants `prompt=consent`, too. */
const giveRefreshTokens: RequestHandler = (request, _response, next) => {
  if (/[?&]scope=[^&]*offline_access/.test(request.url)) request.url += '&prompt=consent';
  next();
};

interface ProviderOptions {
  /** The page's address. */
  readonly page: string;
  /** The paths, as the SDK's vendor has them. @default those of `oidc-provider` */
  readonly routes?: Configuration['routes'];
  /** Added to the address of the provider: Auth0's issuer ends in a slash. */
  readonly issuerEnd?: string;
  /** Routes of the vendor that are no part of OpenID Connect. */
  readonly before?: RequestHandler;
}

/** `oidc-provider` on a free port. Access tokens and refresh tokens live for an hour, or until they are revoked. */
export async function sdkProvider({ page, routes, issuerEnd = '', before }: ProviderOptions) {
  const listener = await listen(0);
  // Another site than the page, as providers are.
  const url = `http://localhost:${listener.port}`;
  const provider = new Provider(`${url}${issuerEnd}`, {
    clients: [
      {
        client_id: 'my-app',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [page, `${page}/`],
      },
    ],
    ...(routes && { routes }),
    scopes: ['openid', 'offline_access'],
    claims: { profile: ['name'], email: ['email'] },
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: true } },
    clientBasedCORS: (_ctx, origin) => origin === page,
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, name: id }) }),
    ...(await providerSettings()),
  });
  const owners = new Map<string, string | undefined>();
  const grants = new Set<string>();
  const events: string[] = [];
  provider.on('access_token.saved', ({ jti, accountId }) => owners.set(jti, accountId));
  provider.on('grant.success', ({ oidc }) => {
    events.push(`${oidc.params?.grant_type as string} ${oidc.entities.Account?.accountId}`);
    if (oidc.entities.Grant?.jti) grants.add(oidc.entities.Grant.jti);
  });
  provider.on('grant.error', (_ctx, error) => events.push(error.error));
  provider.on('server_error', (_ctx, error) => events.push(`server_error ${error.message}`));
  const app = express();
  if (before) app.use(before);
  app.use(giveRefreshTokens);
  app.use(provider.callback());
  listener.answer(app);
  return {
    url,
    /** Each answer of the token endpoint: `authorization_code ada`, `refresh_token ada`, `invalid_grant`. */
    events,
    ownerOf: (token: string) => owners.get(token),
    /** From now on the API refuses the access tokens that it has accepted so far. */
    revokeAccessTokens: () => owners.clear(),
    /** And the provider refuses the refresh tokens. */
    revokeAll: async () => {
      owners.clear();
      await Promise.all([...grants].map(grant => provider.RefreshToken.revokeByGrantId(grant)));
    },
    close: listener.close,
  };
}
