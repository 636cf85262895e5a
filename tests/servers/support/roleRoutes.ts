import { Router } from 'express';
import { signer } from './createServerLog.js';

interface Question {
  action: string;
  on?: { type: string; id?: string };
}

/** Only editors delete notes. The same rule answers `POST /permissions` and refuses a DELETE with 403. */
export function roleRoutes() {
  const editors = new Set(['ada', 'grace']);
  const asked: Question[][] = [];
  const routes = Router();
  routes.post('/permissions', ({ body }, response) => {
    const { questions } = body as { questions: Question[] };
    asked.push(questions);
    const isEditor = editors.has(signer(response) ?? '');
    response.json(
      questions.map(({ action }) => ({
        allowed: action !== 'delete' || isEditor,
        reason: 'Only editors delete notes.',
      })),
    );
  });
  routes.delete('/note/:id', (_request, response, next) => {
    if (editors.has(signer(response) ?? '')) next();
    else response.status(403).json({ error: 'only editors delete notes' });
  });
  return {
    routes,
    /** The questions of each request so far. */
    asked,
    /** From now on, this user is not an editor. */
    removeEditor: (person: string) => void editors.delete(person),
  };
}
