import { randomBytes } from 'node:crypto';
import cookieParser from 'cookie-parser';
import { doubleCsrf } from 'csrf-csrf';
import { Router, type NextFunction, type Request, type Response } from 'express';
import session from 'express-session';
import type { Credentials, User } from '../src/demoUsers.ts';
import { findUser, findViewed, setUser, userOf, type Auth } from './Auth.ts';
import { checkPassword, nowInSeconds } from './stepUp.ts';

declare module 'express-session' {
  interface SessionData {
    user: User;
    /** The maintainer who views as the user. */
    actor: User | undefined;
    /** When the user has confirmed the session with the password, in seconds since 1970. */
    steppedUpAt: number;
  }
}

/** Over HTTPS, `secure` has to be true. */
const COOKIE = { sameSite: 'lax', secure: false } as const;

const REMEMBERED_LIFETIME_MS = 30 * 24 * 3_600_000;

/** A session cookie that scripts cannot read, and a CSRF token in a cookie that they can. The token belongs to one session. */
export function cookieAuth(): Auth {
  const secret = randomBytes(32).toString('hex');
  const { doubleCsrfProtection, generateCsrfToken } = doubleCsrf({
    getSecret: () => secret,
    getSessionIdentifier: ({ sessionID }: Request) => sessionID,
    cookieName: 'csrf',
    cookieOptions: { ...COOKIE, httpOnly: false },
  });
  const routes = Router();

  routes.get('/csrf', (request, response) => {
    generateCsrfToken(request, response, { overwrite: true });
    response.status(204).end();
  });
  routes.use(doubleCsrfProtection);

  /** A new session id for each user, against session fixation; and a CSRF token for it. The cookie lasts as long as the one before. */
  function signIn(request: Request, response: Response, next: NextFunction, user: User, actor?: User): void {
    const { originalMaxAge } = request.session.cookie;
    request.session.regenerate(error => {
      if (error) return next(error);
      Object.assign(request.session, { user, actor });
      if (originalMaxAge !== null) request.session.cookie.maxAge = originalMaxAge;
      setUser(response, user);
      generateCsrfToken(request, response, { overwrite: true });
      response.json({ ...user, actor });
    });
  }

  routes.get('/whoami', (request, response) => {
    const user = userOf(response);
    const { actor } = request.session;
    response.status(user ? 200 : 401).json(user ? { ...user, actor } : { message: 'Nobody is signed in.' });
  });

  routes.post('/login', (request, response, next) => {
    const user = findUser(request.body);
    if (!user) return void response.status(401).json({ message: 'The user name or the password is wrong.' });
    // Without a lifetime, the cookie ends with the browser.
    request.session.cookie.originalMaxAge = (request.body as Credentials).remember ? REMEMBERED_LIFETIME_MS : null;
    signIn(request, response, next, user);
  });

  routes.post('/logout', (request, response, next) => {
    request.session.destroy(error => {
      if (error) return next(error);
      response.clearCookie('sid').clearCookie('csrf').status(204).end();
    });
  });

  routes.post('/view-as', (request, response, next) => {
    const actor = request.session.actor ? undefined : userOf(response);
    const user = findViewed(actor, request.body);
    if (user) return signIn(request, response, next, user, actor);
    response.status(403).json({ message: 'Only maintainers may view as another user.' });
  });

  routes.delete('/view-as', (request, response, next) => {
    const { actor } = request.session;
    if (actor) return signIn(request, response, next, actor);
    response.status(409).json({ message: 'Nobody views as another user.' });
  });

  routes.post('/step-up', checkPassword, (request, response) => {
    request.session.steppedUpAt = nowInSeconds();
    response.status(204).end();
  });

  // For the demo's button: the server forgets the session, as after a long pause.
  routes.post('/expire', (request, response, next) => {
    request.session.destroy(error => (error ? next(error) : response.status(204).end()));
  });

  return {
    identify: [
      cookieParser(),
      session({ name: 'sid', secret, resave: false, saveUninitialized: true, cookie: { ...COOKIE, httpOnly: true } }),
      (request, response, next) => {
        setUser(response, request.session.user, request.session.steppedUpAt);
        next();
      },
    ],
    routes,
  };
}
