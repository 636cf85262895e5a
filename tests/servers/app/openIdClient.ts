import * as oauth from 'oauth4webapi';

const VERIFIER = 'code verifier';
const CLIENT: oauth.Client = { client_id: 'page' };
const PUBLIC = oauth.None();

/** The provider of the tests speaks plain http. */
const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

/** What the provider has answered. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /**
   * When the access token expires, in milliseconds since 1970. Counted from when it was asked for, so the page never takes it
   * for valid after the provider does not.
   */
  readonly expiresAt: number | undefined;
  /** Whose it is; the answer to a refresh may leave it out. */
  readonly subject: string | undefined;
}

function grantOf(answer: oauth.TokenEndpointResponse, askedAt: number): Grant {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: answer.expires_in === undefined ? undefined : askedAt + answer.expires_in * 1000,
    subject: oauth.getValidatedIdTokenClaims(answer)?.sub,
  };
}

/** Authorization code with PKCE, for a page without a secret of its own. */
export function openIdClient(issuer: string) {
  let discovered: Promise<oauth.AuthorizationServer> | undefined;
  const ask = async () =>
    oauth.processDiscoveryResponse(new URL(issuer), await oauth.discoveryRequest(new URL(issuer), INSECURE));
  const discover = () => (discovered ??= ask());
  const redirectUri = `${location.origin}/`;

  return {
    /** Goes to the provider's own page, which always asks who it is. */
    async leaveToSignIn(): Promise<void> {
      const server = await discover();
      const verifier = oauth.generateRandomCodeVerifier();
      sessionStorage.setItem(VERIFIER, verifier);
      const address = new URL(server.authorization_endpoint as string);
      address.search = new URLSearchParams({
        client_id: CLIENT.client_id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid offline_access',
        prompt: 'login consent',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString();
      location.assign(address);
    },

    /** Back from the provider: exchanges the code in the address. */
    async comeBack(): Promise<Grant> {
      const server = await discover();
      const found = oauth.validateAuthResponse(server, CLIENT, new URL(location.href), oauth.expectNoState);
      const verifier = sessionStorage.getItem(VERIFIER) as string;
      const askedAt = Date.now();
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        CLIENT,
        PUBLIC,
        found,
        redirectUri,
        verifier,
        INSECURE,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, CLIENT, answer, { requireIdToken: true });
      return grantOf(tokens, askedAt);
    },

    /** Exchanges a refresh token, which is good for one use. */
    async renew(refreshToken: string | undefined): Promise<Grant> {
      const server = await discover();
      const askedAt = Date.now();
      const answer = await oauth.refreshTokenGrantRequest(server, CLIENT, PUBLIC, refreshToken as string, INSECURE);
      return grantOf(await oauth.processRefreshTokenResponse(server, CLIENT, answer), askedAt);
    },

    /** The refresh token, and with it its family, is wanted no more. */
    async revoke(refreshToken: string | undefined): Promise<void> {
      const answer = await oauth.revocationRequest(await discover(), CLIENT, PUBLIC, refreshToken as string, INSECURE);
      await oauth.processRevocationResponse(answer);
    },
  };
}

export type OpenIdClient = ReturnType<typeof openIdClient>;
