import { Router, type Response } from 'express';
import { signer } from './createServerLog.js';
import type { Database, Note } from './openDatabase.js';

/** One page of somebody's notes, as it is sent. */
export interface NotePage {
  results: Note[];
  /** Where the next page begins; null at the end. */
  cursor: string | null;
}

export interface NoteRoutesOptions {
  database: Database;
  pageSize: number;
  /** Sends a page of notes. @default as JSON */
  sendPage?: (response: Response, page: NotePage) => void;
}

/** Notes and folders of whoever the request was signed by; 401 for nobody, 404 for what is somebody else's. */
export function noteRoutes({
  database,
  pageSize,
  sendPage = (response, page) => void response.json(page),
}: NoteRoutesOptions): Router {
  const routes = Router();
  const shown = 'id, title, text';
  const find = (id: string, owner: string) =>
    database.get(`SELECT ${shown} FROM note WHERE id = ? AND owner = ?`, id, owner) as Note | undefined;
  const owner = (response: Response) => signer(response) as string;

  routes.use((_request, response, next) => {
    // As many APIs answer, and none should: what one user reads must not reach another through the browser's cache.
    response.set('Cache-Control', 'private, max-age=60');
    if (signer(response)) next();
    else response.status(401).json({ error: 'nobody is signed in' });
  });

  routes.get('/folder', (_request, response) => {
    response.json(
      ['Drafts', 'Sent'].map(name => ({ id: `${owner(response)}-${name}`, name: `${owner(response)}’s ${name}` })),
    );
  });

  routes.get('/note', ({ query }, response) => {
    const after = typeof query.cursor === 'string' ? Number(query.cursor.replace('after-', '')) : 0;
    const statement = `SELECT ${shown} FROM note WHERE owner = ? AND id > ? ORDER BY id LIMIT ?`;
    const found = database.all(statement, owner(response), after, pageSize + 1) as Note[];
    const results = found.slice(0, pageSize);
    sendPage(response, { results, cursor: found.length > pageSize ? `after-${results.at(-1)?.id}` : null });
  });

  routes.post('/note', ({ body }, response) => {
    const id = database.run(
      'INSERT INTO note (owner, title, text) VALUES (?, ?, ?)',
      owner(response),
      body.title,
      body.text ?? '',
    );
    response.status(201).json(find(String(id), owner(response)));
  });

  routes.param('id', ({ params }, response, next) => {
    response.locals.note = find(params.id as string, owner(response));
    if (response.locals.note) next();
    else response.status(404).json({ error: 'there is no such note' });
  });

  routes.get('/note/:id', (_request, response) => {
    response.json(response.locals.note);
  });

  routes.patch('/note/:id', ({ body, params }, response) => {
    database.run(
      'UPDATE note SET title = coalesce(?, title), text = coalesce(?, text) WHERE id = ?',
      body.title ?? null,
      body.text ?? null,
      params.id,
    );
    response.json(find(params.id, owner(response)));
  });

  routes.delete('/note/:id', ({ params }, response) => {
    database.run('DELETE FROM note WHERE id = ?', params.id);
    response.status(204).end();
  });

  return routes;
}
