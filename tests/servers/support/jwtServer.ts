import express, { type Response } from 'express';
import { errors, generateSecret, jwtVerify, SignJWT, type CryptoKey } from 'jose';
import { createGate } from '../../../src/testing/createGate.js';
import { answerGraphql, clientRoutes } from './clientRoutes.js';
import { createServerLog, signed } from './createServerLog.js';
import { listen } from './listen.js';
import { noteRoutes, type NotePage } from './noteRoutes.js';
import { openDatabase, type Database, type Shelves } from './openDatabase.js';
import { personWith } from './people.js';
import { roleRoutes } from './roleRoutes.js';
import type { ServerOptions } from './ServerOptions.js';

export interface JwtServerOptions extends ServerOptions {
  shelves: Shelves;
  pageSize: number;
  /** How long an access token lives at first, in seconds. */
  lifetime: number;
}

/** Which page is cut off in its middle, and what happens then. */
interface Cut {
  after: number;
  begun: () => void;
}

/** The person of a token, if it is good; with `expired`, also if it is not good any more. */
async function subjectOf(token: string | undefined, key: CryptoKey, expired = false): Promise<string | undefined> {
  try {
    return (await jwtVerify(token ?? '', key)).payload.sub;
  } catch (error) {
    return expired && error instanceof errors.JWTExpired ? error.payload.sub : undefined;
  }
}

/**
 * An API with JWTs that live for seconds, signed and verified by `jose`, over SQLite.
 *
 * A restart cuts every connection, and ends every access token: their key lives in the server's memory only. That of the
 * refresh tokens is kept.
 */
export async function jwtServer({ pages, file, shelves, pageSize, ...options }: JwtServerOptions) {
  let { lifetime } = options;
  const log = createServerLog();
  const refreshGate = createGate();
  const apiGate = createGate();
  const clients = clientRoutes();
  const roles = roleRoutes();
  const issued: string[] = [];
  /** Tokens with a smaller number are not good any more. */
  let goodFrom = 0;
  let lastExpiry = 0;
  const refreshKey = await generateSecret('HS256');
  let cut: Cut | undefined;

  async function issue(person: string) {
    const sign = async (key: CryptoKey, seconds: number) => {
      const claims = new SignJWT({ sub: person, jti: `${issued.length}` })
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`);
      const token = await claims.setProtectedHeader({ alg: 'HS256' }).sign(key);
      issued.push(token);
      return token;
    };
    lastExpiry = Date.now() + lifetime * 1000;
    return {
      accessToken: await sign(running.accessKey, lifetime),
      refreshToken: await sign(refreshKey, 3_600),
      user: { id: person },
    };
  }

  const isInForce = (token = '') => issued.indexOf(token) >= goodFrom;

  /** Half of the answer, and then no more. */
  function sendPage(response: Response, page: NotePage): void {
    const text = JSON.stringify(page);
    const first = page.results[0]?.id;
    if (first === undefined || cut?.after !== first - 1) return void response.type('json').send(text);
    const { begun } = cut;
    cut = undefined;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    response.write(text.slice(0, text.length / 2), begun);
  }

  function appOver(database: Database, accessKey: CryptoKey) {
    const app = express();
    app.use(express.static(pages));
    app.use(['/auth', '/api'], log.write, express.json(), async (request, response, next) => {
      const token = request.get('authorization')?.replace(/^Bearer /, '');
      response.locals.isGood = (await subjectOf(token, accessKey)) !== undefined && isInForce(token);
      signed(response, await subjectOf(token, accessKey, true));
      next();
    });
    app.post('/auth/login', async ({ body }, response) => {
      const person = personWith(body);
      if (person) response.json(await issue(person));
      else response.status(401).json({ error: 'wrong user name or password' });
    });
    app.post('/auth/refresh', async ({ body }, response) => {
      const person = await subjectOf(body.refreshToken, refreshKey);
      signed(response, person);
      await refreshGate.pass();
      if (person && isInForce(body.refreshToken)) response.json(await issue(person));
      else response.status(401).json({ error: 'sign in again' });
    });
    app.post('/api/graphql', answerGraphql);
    app.use('/api', async (_request, response, next) => {
      await apiGate.pass();
      if (response.locals.isGood) next();
      else response.status(401).json({ error: 'the token is not good' });
    });
    app.use('/api', clients.routes, roles.routes, noteRoutes({ database, pageSize, sendPage }));
    return app;
  }

  async function start(port: number) {
    const database = openDatabase(file, shelves);
    const accessKey = await generateSecret('HS256');
    const server = await listen(port, appOver(database, accessKey));
    const stop = async () => {
      await server.close();
      database.close();
    };
    return { port: server.port, accessKey, stop };
  }

  let running = await start(0);
  return {
    url: `http://127.0.0.1:${running.port}`,
    log,
    /** Holds every refresh back, before it is answered. */
    holdRefresh: refreshGate.hold,
    /** Holds every call of the API back, before it is answered. */
    holdApi: apiGate.hold,
    /** Holds the second half of every slow answer back. */
    holdSlow: clients.holdSlow,
    /** The permission questions of each request so far. */
    asked: roles.asked,
    /** From now on, this user may not delete. */
    removeEditor: roles.removeEditor,
    /** The page after this row will be cut off in its middle; resolves when half of it is on its way. */
    cutPage: (after: number) => new Promise<void>(begun => (cut = { after, begun })),
    stop: () => running.stop(),
    start: async () => {
      running = await start(running.port);
    },
    /** How long access tokens live that are given out from now on, in seconds. */
    setLifetime: (given: number) => void (lifetime = given),
    /** Ends all sessions: no token that was given out so far is good any more. */
    endSessions: () => void (goodFrom = issued.length),
    /** Whether no access token that was given out so far is good any more. */
    allExpired: () => Date.now() > lastExpiry,
    /** What no page may show. */
    secrets: () => issued,
    close: () => running.stop(),
  };
}

export type JwtServer = Awaited<ReturnType<typeof jwtServer>>;
