import cookieParser from 'cookie-parser';
import express, { type Request, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { createGate } from '../../../src/testing/createGate.js';
import { App, makeSession, type User, type Wait } from '../rendered/App.js';
import { createServerLog, signed, signer } from './createServerLog.js';
import { listen } from './listen.js';
import { personWith } from './people.js';

/** The user for the page's script. `<` is escaped: a name could end the script. */
const known = (user: User | null) =>
  `<script>window.initialUser = ${JSON.stringify(user).replaceAll('<', '\\u003c')}</script>`;

/**
 * Express that knows its visitors by a cookie, and streams the page to each of them as it renders. `?untold` does not tell the page who is
 * signed in; `?cacheable` lets the browser keep the document, which it must not.
 */
export async function renderingServer(pages: string) {
  const template = await readFile(join(pages, 'index.html'), 'utf8');
  const [head = '', tail = ''] = template.split('<!--rendered-->');
  const log = createServerLog();
  const people = new Map<string, string>();
  const gates = new Map(['ada', 'grace'].map(person => [person, createGate()]));
  const personOf = ({ cookies }: Request) => people.get((cookies as { sid?: string }).sid ?? '');
  const signIn = (person: string) => {
    const sid = randomUUID();
    people.set(sid, person);
    return sid;
  };

  function sendPage(request: Request, response: Response) {
    const person = personOf(request);
    const isTold = !('untold' in request.query);
    const user: User | null = person === undefined ? null : { id: person };
    const wait = { promise: gates.get(person ?? '')?.pass() ?? Promise.resolve(), isOver: false } as Wait;
    void wait.promise.then(() => (wait.isOver = true));
    // One session for each request: it never serves another visitor.
    const session = makeSession(isTold ? user : undefined, true);
    const { pipe } = renderToPipeableStream(<App session={session} wait={wait} />, {
      onShellReady() {
        response.set('Cache-Control', 'cacheable' in request.query ? 'private, max-age=60' : 'no-store');
        response.type('html').write(isTold ? head.replace('</head>', `${known(user)}</head>`) : head);
        const page = new PassThrough();
        page.on('data', (chunk: Buffer) => response.write(chunk));
        page.on('end', () => response.end(tail));
        pipe(page);
      },
    });
  }

  const app = express();
  app.use('/assets', express.static(join(pages, 'assets')));
  app.use(log.write, cookieParser(), express.json(), (request, response, next) => {
    signed(response, personOf(request));
    next();
  });
  // With an icon of its own: a browser asks for `/favicon.ico` when it likes, also after the test has cleared the log.
  app.get('/other', (_request, response) => {
    response.type('html').send('<link rel="icon" href="data:," /><p>Another page</p>');
  });
  app.post('/auth/login', (request, response) => {
    const person = personWith(request.body);
    if (!person) return void response.status(401).json({ error: 'wrong user name or password' });
    response.cookie('sid', signIn(person), { httpOnly: true }).json({ id: person });
  });
  app.get('/auth/whoami', (_request, response) => {
    const person = signer(response);
    response.status(person ? 200 : 401).json(person ? { id: person } : {});
  });
  app.get('/api/note', (_request, response) => {
    const person = signer(response);
    if (!person) return void response.status(401).json({});
    response.set('X-User-Id', person);
    response.json([1, 2].map(number => ({ id: `${person}-${number}`, title: `${person}’s note ${number}` })));
  });
  app.get('/', sendPage);

  const server = await listen(0, app);
  return {
    url: `http://127.0.0.1:${server.port}`,
    log,
    signIn,
    hold: (person: string) => gates.get(person)!.hold(),
    close: server.close,
  };
}

export type RenderingServer = Awaited<ReturnType<typeof renderingServer>>;
