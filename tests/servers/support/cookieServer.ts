import cookieParser from 'cookie-parser';
import express, { type NextFunction, type Request, type Response } from 'express';
import { createGate } from '../../../src/testing/createGate.js';
import { clientRoutes } from './clientRoutes.js';
import { createServerLog, signed } from './createServerLog.js';
import { csrfTokens } from './csrfTokens.js';
import { listen } from './listen.js';
import { noteRoutes } from './noteRoutes.js';
import { openDatabase } from './openDatabase.js';
import { PAGE_SIZE, personWith, SHELVES } from './people.js';
import type { ServerOptions } from './ServerOptions.js';
import { sqliteSessions } from './sqliteSessions.js';

/** The second factor of every login. */
export const CODE = '246810';

const NEEDS_PASSWORD = 'Bearer error="insufficient_user_authentication", max_age="300"';

/**
 * Express with `express-session` over SQLite and `csrf-csrf`: the CSRF token is bound to the session, which is a new
 * one at each sign-in.
 */
export async function cookieServer({ pages, file }: ServerOptions) {
  const database = openDatabase(file, SHELVES);
  const log = createServerLog();
  const loginGate = createGate();
  const csrf = csrfTokens();
  const sessions = sqliteSessions(database);

  let needsPassword = false;
  let isNeverEnough = false;
  let needsCode = false;

  const signIn = (request: Request, response: Response, next: NextFunction, person: string) =>
    request.session.regenerate(error => {
      if (error) return next(error);
      request.session.person = person;
      csrf.generate(request, response, { overwrite: true });
      response.json({ user: { id: person } });
    });

  const app = express();
  app.use(express.static(pages));
  app.use(
    ['/auth', '/api'],
    log.write,
    cookieParser(),
    sessions.middleware,
    (request, response, next) => {
      signed(response, request.session.person);
      next();
    },
    express.json(),
  );

  app.get('/auth/csrf', (request, response) => {
    request.session.visited = true;
    csrf.generate(request, response);
    response.status(204).end();
  });
  app.use(['/auth', '/api'], csrf.protect);
  app.get('/auth/whoami', ({ session: { person } }, response) => {
    response.set('Cache-Control', 'private, max-age=60');
    response.status(person ? 200 : 401).json(person ? { id: person } : { error: 'nobody is signed in' });
  });
  app.post('/auth/login', async (request, response, next) => {
    await loginGate.pass();
    const person = personWith(request.body);
    if (!person) return void response.status(401).json({ error: 'wrong user name or password' });
    if (!needsCode) return void signIn(request, response, next, person);
    request.session.withoutCode = person;
    response.json({ next: 'code' });
  });
  app.post('/auth/login/code', (request, response, next) => {
    const { body, session } = request;
    if (session.withoutCode && body.code === CODE) signIn(request, response, next, session.withoutCode);
    else response.status(401).json({ error: 'wrong code' });
  });
  app.post('/auth/step-up', ({ body, session }, response) => {
    if (personWith({ username: session.person, password: body.password }) === undefined)
      return void response.status(422).json({ message: 'The password is wrong.' });
    if (!isNeverEnough) session.isSteppedUp = true;
    response.status(204).end();
  });
  app.delete('/api/note/:id', ({ session }, response, next) => {
    if (!needsPassword || !session.person || session.isSteppedUp) next();
    else response.status(401).set('WWW-Authenticate', NEEDS_PASSWORD).json({ error: 'type your password' });
  });
  app.post('/auth/logout', (request, response, next) => {
    request.session.destroy(error => {
      if (error) return next(error);
      response.clearCookie('sid').clearCookie('csrf').status(204).end();
    });
  });
  app.use('/api', clientRoutes().routes, noteRoutes({ database, pageSize: PAGE_SIZE }));

  const server = await listen(0, app);
  return {
    url: `http://127.0.0.1:${server.port}`,
    log,
    /** From now on, a deletion needs the password once more. */
    needPassword: () => void (needsPassword = true),
    /** From now on, no password is enough. */
    neverBeEnough: () => void (isNeverEnough = true),
    /** From now on, a login needs `CODE` too. */
    needCode: () => void (needsCode = true),
    /** Holds every login back, before it is checked. */
    holdLogin: loginGate.hold,
    /** The sessions that are good now: their ids, and whose they are. */
    sessions: sessions.current,
    /** The sessions of a person have come to their end. */
    age: sessions.age,
    /** The person has signed out everywhere, from elsewhere. */
    signOutElsewhere: sessions.signOutElsewhere,
    /** The tokens that were given out against forgery are good no more. */
    changeCsrfSecret: csrf.changeSecret,
    /** What no page may show: here the browser keeps it. */
    secrets: sessions.ids,
    close: async () => {
      await server.close();
      database.close();
    },
  };
}

export type CookieServer = Awaited<ReturnType<typeof cookieServer>>;
