import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createServerLog, signed, signer } from '../../servers/support/createServerLog.js';
import { personWith } from '../../servers/support/people.js';

const PAGE_SIZE = 20;
const ROWS = 45;
/** The letters of a title. */
const LONGEST = 40;

/** The server that the README describes, on an origin of its own: short tokens, one-use refresh tokens, and articles of each user. */
export async function articleServer() {
  const log = createServerLog();
  let good = new Map<string, string>();
  const refreshTokens = new Map<string, string>();
  let issued = 0;
  const articles = new Map(
    ['ada', 'grace'].map(person => [
      person,
      Array.from({ length: ROWS }, (_, index) => ({ id: `${index + 1}`, title: `${person}’s article ${index + 1}` })),
    ]),
  );
  const issue = (person: string) => {
    const [accessToken, refreshToken] = [`${person}-${++issued}`, `refresh-${person}-${issued}`];
    good.set(accessToken, person);
    refreshTokens.set(refreshToken, person);
    return { accessToken, refreshToken, user: { id: person, name: person } };
  };

  const app = express().set('etag', false);
  app.use((request, response, next) => {
    response.set({
      'Access-Control-Allow-Origin': request.get('origin'),
      'Access-Control-Allow-Headers': 'Authorization, Content-Type',
      'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
    });
    if (request.method === 'OPTIONS') response.status(204).end();
    else next();
  });
  app.use(log.write, express.json(), (request, response, next) => {
    signed(response, good.get(request.get('authorization')?.replace('Bearer ', '') ?? ''));
    next();
  });
  app.post('/login', ({ body }, response) => {
    const person = personWith(body);
    if (person) response.json(issue(person));
    else response.status(401).json({ error: 'wrong user name or password' });
  });
  app.post('/refresh', ({ body }, response) => {
    const person = refreshTokens.get(body.refreshToken);
    refreshTokens.delete(body.refreshToken);
    if (person) response.json(issue(person));
    else response.status(401).json({ error: 'sign in again' });
  });
  app.use((_request, response, next) => {
    if (signer(response)) next();
    else response.status(401).json({ error: 'the token is not good' });
  });
  app.post('/logout', (_request, response) => {
    for (const tokens of [good, refreshTokens])
      for (const [token, person] of tokens) if (person === signer(response)) tokens.delete(token);
    response.status(204).end();
  });
  const ownArticles = (response: express.Response) => articles.get(signer(response)!)!;
  app.get('/article', ({ query: { page = '1' } }, response) => {
    const start = (Number(page) - 1) * PAGE_SIZE;
    response.json(ownArticles(response).slice(start, start + PAGE_SIZE));
  });
  app.post('/article', ({ body }, response) => {
    if (body.title.length > LONGEST) return void response.status(422).json({ errors: { title: ['Too long.'] } });
    const article = { id: `new-${++issued}`, title: String(body.title) };
    ownArticles(response).unshift(article);
    response.status(201).json(article);
  });
  app
    .route('/article/:id')
    .get(({ params }, response) => void response.json(ownArticles(response).find(({ id }) => id === params.id)))
    .patch(({ params, body }, response) => {
      const article = ownArticles(response).find(({ id }) => id === params.id)!;
      response.json(Object.assign(article, body));
    })
    .delete(({ params }, response) => {
      const own = ownArticles(response);
      own.splice(
        own.findIndex(({ id }) => id === params.id),
        1,
      );
      response.status(204).end();
    });

  const server = createServer(app);
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Refuses every access token that was given out so far. */
    expireTokens: () => void (good = new Map()),
    /** Each request as `GET /article  ada  200`, and the log begins a new page. */
    takeLines: () => {
      const lines = log.lines();
      log.clear();
      return lines;
    },
    close: () =>
      new Promise<unknown>(closed => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}
