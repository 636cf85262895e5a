import * as oauth from 'oauth4webapi';
import type { AuthChallenge } from '../../../src/entries/step-up.js';

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

/** How often a page looks whether the user has closed the provider's window, in milliseconds. */
const CLOSED_CHECK_MS = 100;

/** Waits for the answer of the provider, which `returnToOpener` posts. Rejects when the user closes the window. */
function answerOf(popup: Window): Promise<URL> {
  const ended = new AbortController();
  return new Promise<URL>((resolve, reject) => {
    const onMessage = ({ source, origin, data }: MessageEvent<string>) => {
      if (source === popup && origin === location.origin) resolve(new URL(data));
    };
    addEventListener('message', onMessage, { signal: ended.signal });
    const timer = setInterval(() => popup.closed && reject(new Error('The window was closed.')), CLOSED_CHECK_MS);
    ended.signal.addEventListener('abort', () => clearInterval(timer));
  }).finally(() => ended.abort());
}

/** In a window that the page has opened: gives the provider's answer to the page. Returns false in any other window. */
export function returnToOpener(): boolean {
  if (!opener) return false;
  (opener as Window).postMessage(location.href, location.origin);
  close();
  return true;
}

/** Authorization code with PKCE, for a page without a secret of its own. */
export function openIdClient(issuer: string) {
  let discovered: Promise<oauth.AuthorizationServer> | undefined;
  const ask = async () =>
    oauth.processDiscoveryResponse(new URL(issuer), await oauth.discoveryRequest(new URL(issuer), INSECURE));
  const discover = () => (discovered ??= ask());
  const redirectUri = `${location.origin}/`;

  /** The address of the provider's own page. */
  async function authorizationUrl(verifier: string, params: Record<string, string>): Promise<URL> {
    const address = new URL((await discover()).authorization_endpoint as string);
    address.search = new URLSearchParams({
      client_id: CLIENT.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...params,
    }).toString();
    return address;
  }

  /** @param address The page's own address, to which the provider has added the code. */
  async function exchangeCode(address: URL, verifier: string): Promise<Grant> {
    const server = await discover();
    const found = oauth.validateAuthResponse(server, CLIENT, address, oauth.expectNoState);
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
  }

  return {
    /** Goes to the provider's own page, which always asks who it is. */
    async leaveToSignIn(): Promise<void> {
      const verifier = oauth.generateRandomCodeVerifier();
      sessionStorage.setItem(VERIFIER, verifier);
      location.assign(await authorizationUrl(verifier, { scope: 'openid offline_access', prompt: 'login consent' }));
    },

    /** Back from the provider: exchanges the code in the address. */
    comeBack: (): Promise<Grant> => exchangeCode(new URL(location.href), sessionStorage.getItem(VERIFIER) as string),

    /** Lets the provider ask the user, in a window of its own, for what an API wants to know (RFC 9470, section 4). */
    async stepUp({ acrValues, maxAge }: AuthChallenge): Promise<Grant> {
      // Before the first `await`: browsers open a window for a click only.
      const popup = open('about:blank', '_blank', 'popup');
      if (!popup) throw new Error('The browser opened no window.');
      const verifier = oauth.generateRandomCodeVerifier();
      const answer = answerOf(popup);
      popup.location.href = (
        await authorizationUrl(verifier, {
          scope: 'openid',
          ...(acrValues && { acr_values: acrValues.join(' ') }),
          ...(maxAge !== undefined && { max_age: String(maxAge) }),
        })
      ).href;
      return exchangeCode(await answer, verifier);
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
