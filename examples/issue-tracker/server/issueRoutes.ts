import type { PermissionQuestion } from 'data-client-auth/permissions';
import { raw, Router, type RequestHandler } from 'express';
import { initialIssues, issueErrors, isVisible, listIssues, withDefaults, type IssueRow } from './issueStore.ts';
import { userOf } from './Auth.ts';
import { addCommentRoutes } from './comments.ts';
import { answerQuestions, DENIED_REASON, isAllowed } from './permissions.ts';
import { requireStepUp } from './stepUp.ts';

/** The issues, in memory: they are as in the beginning after a restart. */
export function issueRoutes(): Router {
  let issues = [...initialIssues];
  let lastId = Math.max(...issues.map(({ id }) => Number(id)));
  const files = new Map<string, Buffer>();
  const routes = Router();

  /** Refuses what the user may not do with the issue of the address, or with all of them. */
  const allow =
    (action: string): RequestHandler =>
    (_request, response, next) => {
      if (isAllowed(userOf(response), action, response.locals.issue as IssueRow | undefined)) next();
      else response.status(403).json({ message: DENIED_REASON });
    };

  routes.post('/permissions', ({ body }, response) => {
    const { questions } = body as { questions: readonly PermissionQuestion[] };
    response.json(answerQuestions(questions, issues, userOf(response)));
  });

  routes.get('/issues', ({ url }, response) => {
    response.json(listIssues(issues, new URL(url, 'http://localhost').searchParams, userOf(response)?.id));
  });

  routes.post('/issues', ({ body }, response) => {
    const fields = withDefaults(body as Record<string, unknown>, userOf(response)?.id);
    const errors = issueErrors(fields);
    if (Object.keys(errors).length > 0) return void response.status(422).json({ errors });
    const issue = { ...fields, id: String(++lastId) } as IssueRow;
    issues = [issue, ...issues];
    response.status(201).json(issue);
  });

  routes.param('id', (_request, response, next, id) => {
    const issue = issues.find(one => one.id === id);
    // 404 and not 403: the existence of a confidential issue is confidential too.
    if (!issue || !isVisible(issue, userOf(response)?.id))
      return void response.status(404).json({ message: 'There is no such issue.' });
    response.locals.issue = issue;
    next();
  });

  addCommentRoutes(routes);

  routes.get('/issues/:id', (_request, response) => {
    response.json(response.locals.issue);
  });

  routes.patch('/issues/:id', allow('update'), ({ body }, response) => {
    const before = response.locals.issue as IssueRow;
    const { id, author, createdAt, attachments } = before;
    const issue = { ...before, ...(body as Partial<IssueRow>), id, author, createdAt, attachments };
    const errors = issueErrors({ ...issue });
    if (Object.keys(errors).length > 0) return void response.status(422).json({ errors });
    issues = issues.map(one => (one.id === id ? issue : one));
    response.json(issue);
  });

  routes.delete('/issues/:id', allow('delete'), ({ params }, response) => {
    issues = issues.filter(({ id }) => id !== params.id);
    response.status(204).end();
  });

  routes.post('/issues/:id/attachments', allow('update'), raw({ limit: '20mb' }), ({ body, query }, response) => {
    const before = response.locals.issue as IssueRow;
    const file = { id: String(files.size + 1), name: typeof query.name === 'string' ? query.name : 'file' };
    files.set(file.id, body as Buffer);
    const issue = { ...before, attachments: [...before.attachments, file] };
    issues = issues.map(one => (one.id === before.id ? issue : one));
    response.status(201).json(issue);
  });

  // `attachment` names the file in `Content-Disposition`.
  routes.get('/issues/:id/attachments/:file', ({ params }, response) => {
    const { attachments } = response.locals.issue as IssueRow;
    const file = attachments.find(({ id }) => id === params.file);
    if (file) response.attachment(file.name).send(files.get(file.id));
    else response.status(404).json({ message: 'There is no such file.' });
  });

  routes.delete('/closed-issues', allow('deleteClosed'), requireStepUp, (_request, response) => {
    issues = issues.filter(issue => issue.state !== 'closed' || !isVisible(issue, userOf(response)?.id));
    response.status(204).end();
  });

  return routes;
}
