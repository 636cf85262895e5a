import { randomBytes } from 'node:crypto';
import cookieParser from 'cookie-parser';
import { doubleCsrf } from 'csrf-csrf';
import { Router, type Request } from 'express';
import session from 'express-session';
import type { Credentials, User } from '../src/demoUsers.ts';
import { findUser, setUser, userOf, type Auth } from './Auth.ts';
import { checkPassword, nowInSeconds } from './stepUp.ts';

declare module 'express-session' {
  interface SessionData {
    user: User;
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

  routes.get('/whoami', (_request, response) => {
    const user = userOf(response);
    response.status(user ? 200 : 401).json(user ?? { message: 'Nobody is signed in.' });
  });

  routes.post('/login', (request, response, next) => {
    const user = findUser(request.body);
    if (!user) return void response.status(401).json({ message: 'The user name or the password is wrong.' });
    // A new session id at each sign-in, against session fixation; and a CSRF token for it.
    request.session.regenerate(error => {
      if (error) return next(error);
      request.session.user = user;
      // Without a lifetime, the cookie ends with the browser.
      if ((request.body as Credentials).remember) request.session.cookie.maxAge = REMEMBERED_LIFETIME_MS;
      setUser(response, user);
      generateCsrfToken(request, response, { overwrite: true });
      response.json(user);
    });
  });

  routes.post('/logout', (request, response, next) => {
    request.session.destroy(error => {
      if (error) return next(error);
      response.clearCookie('sid').clearCookie('csrf').status(204).end();
    });
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
