import { randomUUID } from 'node:crypto';
import { Router, type RequestHandler, type Response } from 'express';
import { generateSecret, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { User } from '../src/demoUsers.ts';
import { findUser, findViewed, setUser, userOf, type Auth } from './Auth.ts';
import { checkPassword, nowInSeconds } from './stepUp.ts';

const ACCESS_LIFETIME_S = 300;
const REFRESH_LIFETIME_S = 7 * 24 * 3_600;

interface Login {
  readonly user: User;
  /** The id of the only refresh token that works. */
  refreshId: string;
  /** When the user has confirmed it with the password, in seconds since 1970. A claim of the access tokens. */
  steppedUpAt?: number;
}

/**
 * Access tokens for five minutes, and refresh tokens that work once. Both are JWTs. After the second use of a refresh token the server
 * ends the login: somebody has copied the token.
 */
export async function tokenAuth(): Promise<Auth> {
  const key = await generateSecret('HS256');
  const logins = new Map<string, Login>();
  const expired = new Set<string>();
  const routes = Router();

  const sign = (claims: JWTPayload, jti: string, audience: string, lifetime: number) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setJti(jti)
      .setAudience(audience)
      .setExpirationTime(`${lifetime}s`)
      .sign(key);

  const verify = (token: unknown, audience: string): Promise<JWTPayload | undefined> =>
    jwtVerify(String(token), key, { audience }).then(
      ({ payload }) => payload,
      () => undefined,
    );

  const issueAccess = async (sid: string, { user, steppedUpAt }: Login) => ({
    accessToken: await sign({ sid, steppedUpAt }, randomUUID(), 'api', ACCESS_LIFETIME_S),
    expiresIn: ACCESS_LIFETIME_S,
    user,
  });

  async function issue(sid: string, login: Login) {
    const refreshId = (login.refreshId = randomUUID());
    const refreshToken = await sign({ sid }, refreshId, 'refresh', REFRESH_LIFETIME_S);
    return { ...(await issueAccess(sid, login)), refreshToken };
  }

  function signIn(response: Response, user: User) {
    setUser(response, user);
    const sid = randomUUID();
    const login: Login = { user, refreshId: '' };
    logins.set(sid, login);
    return issue(sid, login);
  }

  const identify: RequestHandler = async (request, response, next) => {
    const claims = await verify(request.get('authorization')?.replace(/^Bearer /i, ''), 'api');
    const user = expired.has(String(claims?.jti)) ? undefined : logins.get(String(claims?.sid))?.user;
    setUser(response, user, Number(claims?.steppedUpAt ?? 0));
    response.locals.claims = claims;
    next();
  };

  routes.post('/login', async ({ body }, response) => {
    const user = findUser(body);
    if (!user) return void response.status(401).json({ message: 'The user name or the password is wrong.' });
    response.json(await signIn(response, user));
  });

  routes.post('/refresh', async ({ body }, response) => {
    const claims = await verify((body as { refreshToken?: unknown }).refreshToken, 'refresh');
    const sid = String(claims?.sid);
    const login = logins.get(sid);
    setUser(response, login?.user);
    if (login && login.refreshId === claims?.jti) return void response.json(await issue(sid, login));
    logins.delete(sid);
    response.status(401).json({ message: 'Sign in again.' });
  });

  routes.post('/logout', async ({ body }, response) => {
    const claims = await verify((body as { refreshToken?: unknown }).refreshToken, 'refresh');
    setUser(response, logins.get(String(claims?.sid))?.user);
    logins.delete(String(claims?.sid));
    response.status(204).end();
  });

  // A login of its own: the maintainer's stays. In a real server, its tokens name her in the claim `act` (RFC 8693, section 4.1).
  routes.post('/view-as', async ({ body }, response) => {
    const user = findViewed(userOf(response), body);
    if (!user) return void response.status(403).json({ message: 'Only maintainers may view as another user.' });
    response.json(await signIn(response, user));
  });

  // The access token of the answer says that the user has just typed the password. The refresh token stays: another tab may use it right now.
  routes.post('/step-up', checkPassword, async (_request, response) => {
    const { sid } = response.locals.claims as { sid: string };
    const login = logins.get(sid)!;
    login.steppedUpAt = nowInSeconds();
    response.json(await issueAccess(sid, login));
  });

  // For the demo's buttons: this access token is refused from now on, as after its five minutes,
  routes.post('/expire-token', (_request, response) => {
    expired.add(String((response.locals.claims as JWTPayload | undefined)?.jti));
    response.status(204).end();
  });

  // or the whole login is, with its refresh token.
  routes.post('/expire', (_request, response) => {
    logins.delete(String((response.locals.claims as JWTPayload | undefined)?.sid));
    response.status(204).end();
  });

  return { identify: [identify], routes };
}
