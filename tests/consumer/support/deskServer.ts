import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { text } from 'express';
import { buildSchema, graphql } from 'graphql';
import { createGate } from '../../../src/testing/createGate.js';
import { createServerLog, signed, signer } from '../../servers/support/createServerLog.js';
import { personWith } from '../../servers/support/people.js';
import { liveSockets } from './liveSockets.js';

const LIFETIME_MS = 300_000;
const ADDRESSEES: Record<string, string> = { ada: 'Charles Babbage', grace: 'Howard Aiken' };
const schema = buildSchema('type Query { depot: Depot! } type Depot { city: String! parcels: Int! }');

/** The server of the parcel desk: tokens, REST, GraphQL, a socket, and the built app in a folder. */
export async function deskServer(folder: string) {
  const log = createServerLog();
  const gate = createGate();
  const refreshGate = createGate();
  const reports: string[] = [];
  let good = new Map<string, string>();
  let issued = 0;

  const parcels = (person: string) =>
    Array.from({ length: 10 }, (_, index) => ({
      id: `${index + 1}`,
      to: `${ADDRESSEES[person]} ${index + 1}`,
      status: 'on its way',
    }));
  const issue = (person: string) => {
    const accessToken = `${person}-${++issued}`;
    good.set(accessToken, person);
    return {
      accessToken,
      refreshToken: `refresh-${person}`,
      expiresAt: Date.now() + LIFETIME_MS,
      user: { id: person, name: person[0]?.toUpperCase() + person.slice(1) },
    };
  };

  const app = express().set('etag', false);
  app.use(express.static(folder));
  app.post('/reports', text(), ({ body }, response) => {
    reports.push(body as string);
    response.status(204).end();
  });
  app.use('/api', log.write, express.json(), (request, response, next) => {
    signed(response, good.get(request.get('authorization')?.replace('Bearer ', '') ?? ''));
    next();
  });
  app.post('/api/login', ({ body }, response) => {
    const person = personWith(body);
    if (person) response.json(issue(person));
    else response.status(401).json({ error: 'wrong user name or password' });
  });
  app.post('/api/refresh', async ({ body }, response) => {
    const person = String(body.refreshToken).replace('refresh-', '');
    const isKnown = person in ADDRESSEES;
    if (isKnown) signed(response, person);
    await refreshGate.pass();
    if (isKnown) response.json(issue(person));
    else response.status(401).json({ error: 'sign in again' });
  });
  app.use('/api', async (_request, response, next) => {
    await gate.pass();
    if (signer(response)) next();
    else response.status(401).json({ error: 'the token is not good' });
  });
  app.get('/api/parcels', (_request, response) => void response.json(parcels(signer(response)!)));
  app.get('/api/parcels/:id', ({ params }, response) => {
    response.json(parcels(signer(response)!).find(({ id }) => id === params.id));
  });
  app.patch('/api/parcels/:id', ({ params, body }, response) => {
    response.json({ ...parcels(signer(response)!).find(({ id }) => id === params.id), ...body });
  });
  app.get('/api/parcels/:id/scans', (_request, response) => {
    response.json([{ place: `${signer(response)}’s counter`, at: '09:30' }]);
  });
  app.post('/api/graphql', async ({ body }, response) => {
    const depot = () => ({ city: signer(response) === 'ada' ? 'London' : 'New York', parcels: 10 });
    response.json(await graphql({ schema, source: String(body.query), rootValue: { depot } }));
  });
  app.use((_request, response) => response.sendFile(join(folder, 'index.html')));

  const server = createServer(app);
  const live = liveSockets(server, token => good.get(token));
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    live,
    /** What the app's managers have reported, in the order of arrival. */
    reports,
    /** Holds every call of the API back, except sign-ins and refreshes. */
    hold: gate.hold,
    holdRefresh: refreshGate.hold,
    /** Refuses every access token that was given out so far. */
    expireTokens: () => void (good = new Map()),
    /** Each request as `GET /api/parcels  ada  200`, and the log begins a new page. */
    takeLines: () => {
      const lines = log.lines();
      log.clear();
      return lines;
    },
    close: async () => {
      live.close();
      await new Promise<unknown>(closed => {
        server.close(closed);
        server.closeAllConnections();
      });
    },
  };
}

export type DeskServer = Awaited<ReturnType<typeof deskServer>>;
