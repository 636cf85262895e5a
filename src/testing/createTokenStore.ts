import { toMockUser, type MockPerson } from './MockAuth.js';
import type { MockTokens, TokenAuthOptions } from './MockTokenServer.js';
import { mockTokens } from './redactLines.js';

/** The lifetime of a JWT without `expiresIn`. */
const JWT_LIFETIME_S = 3_600;

/** All tokens of one login. `access` is the only valid access token. */
export interface LoginTokens {
  person: MockPerson;
  access?: string;
  expiresAt: number;
  revoked: boolean;
}

/** Issues the tokens of a mock server and finds the login that a token belongs to. Answers no request. */
export function createTokenStore({ expiresIn, jwt }: Pick<TokenAuthOptions, 'expiresIn' | 'jwt'>) {
  const lifetime = expiresIn ?? (jwt ? JWT_LIFETIME_S : Infinity);
  const logins = new Set<LoginTokens>();
  const accessTokens = new Map<string, LoginTokens>();
  const refreshTokens = new Map<string, { login: LoginTokens; spent: boolean }>();
  const numbers = new Map<string, number>();

  /** Replaces the access token of a login, and its refresh token unless `sameRefreshToken` keeps it. */
  function issue(login: LoginTokens, sameRefreshToken?: string): MockTokens {
    const { id, name, role } = login.person;
    const number = (numbers.get(id) ?? 0) + 1;
    numbers.set(id, number);
    const now = Date.now();
    login.expiresAt = now + lifetime * 1_000;
    const claims = { sub: id, name, role, iat: Math.floor(now / 1_000), exp: Math.floor(login.expiresAt / 1_000) };
    const accessToken = jwt ? mockJwt({ ...claims, jti: `${id}-${number}` }) : `${id}-${number}`;
    const refreshToken = sameRefreshToken ?? `${id}-refresh-${number}`;
    login.access = accessToken;
    accessTokens.set(accessToken, login);
    refreshTokens.set(refreshToken, { login, spent: false });
    mockTokens.add(refreshToken);
    // A JWT says nothing to a reader.
    if (!jwt) mockTokens.add(accessToken);
    return {
      accessToken,
      refreshToken,
      ...(expiresIn === undefined ? {} : { expiresIn }),
      user: toMockUser(login.person),
    };
  }

  function revoke(login: LoginTokens): void {
    login.revoked = true;
    delete login.access;
  }

  return {
    issue,
    revoke,
    /** Starts a login. */
    open(person: MockPerson): MockTokens {
      const login: LoginTokens = { person, expiresAt: 0, revoked: false };
      logins.add(login);
      return issue(login);
    },
    /** Returns the login of a valid access token. */
    findByAccessToken(token: string): LoginTokens | undefined {
      const login = accessTokens.get(token);
      return login?.access === token && Date.now() < login.expiresAt ? login : undefined;
    },
    /** Also returns what belongs to a spent token or a revoked login, so that the server can tell a second use. */
    findByRefreshToken: (token: string) => refreshTokens.get(token),
    expireAccessTokens(): void {
      for (const login of logins) delete login.access;
    },
    revokeAll(person: MockPerson): void {
      for (const login of logins) if (login.person === person) revoke(login);
    },
    clear(): void {
      for (const issued of [logins, accessTokens, refreshTokens, numbers]) issued.clear();
    },
  };
}

/** Creates a JSON Web Token for tests. Its signature is the word `mock`, so no real server accepts it. */
function mockJwt(claims: Readonly<Record<string, unknown>>): string {
  return [encode({ alg: 'HS256', typ: 'JWT' }), encode(claims), base64url('mock')].join('.');
}

function encode(value: unknown): string {
  return base64url(JSON.stringify(value));
}

function base64url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
