// The comments of issues, and a stream that tells each page of new ones.
import type { Response, Router } from 'express';
import { userOf } from './Auth.ts';
import { isVisible, type IssueRow } from './issueStore.ts';

interface CommentRow {
  id: string;
  issue: string;
  author: string;
  text: string;
}

/** Adds the routes to those of the issues, which find the issue of an address. */
export function addCommentRoutes(routes: Router): void {
  const comments: CommentRow[] = [];
  /** The open streams. */
  const pages = new Set<Response>();

  routes.get('/live', (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }).flushHeaders();
    pages.add(response);
    response.once('close', () => pages.delete(response));
  });

  routes.get('/issues/:id/comments', ({ params }, response) => {
    response.json(comments.filter(({ issue }) => issue === params.id));
  });

  routes.post('/issues/:id/comments', ({ body, params }, response) => {
    const { text } = body as { text?: unknown };
    if (typeof text !== 'string' || text.trim() === '')
      return void response.status(422).json({ errors: { text: ['Write something.'] } });
    const comment = { id: String(comments.length + 1), issue: params.id, author: userOf(response)?.id ?? '', text };
    comments.push(comment);
    response.status(201).json(comment);
    const issue = response.locals.issue as IssueRow;
    // The stream was opened with a user: a confidential issue is for its author only.
    for (const page of pages)
      if (isVisible(issue, userOf(page)?.id)) page.write(`data: ${JSON.stringify({ issue: issue.id })}\n\n`);
  });
}
