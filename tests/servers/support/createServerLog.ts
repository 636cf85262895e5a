import type { RequestHandler, Response } from 'express';

/** What a server notes of a request, in the order of arrival; the page's own files are not among them. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  /** Whose credential it carried, good or not: `ada`, `nobody`. */
  readonly who: string;
  readonly status: number | 'under way' | 'cut off';
}

/** Tells the log whose credential a request carries. */
export function signed(response: Response, who: string | undefined): void {
  response.locals.who = who;
}

/** Whose credential the request carries. */
export const signer = (response: Response): string | undefined => response.locals.who as string | undefined;

/** The log of a server, and the handler that writes it. */
export function createServerLog() {
  const seen: { method: string; path: string; response: Response; isCutOff: boolean }[] = [];

  const write: RequestHandler = (request, response, next) => {
    const entry = { method: request.method, path: request.originalUrl, response, isCutOff: false };
    seen.push(entry);
    response.once('close', () => (entry.isCutOff = !response.writableEnded));
    next();
  };

  const requests = (): LoggedRequest[] =>
    seen.map(({ method, path, response, isCutOff }) => ({
      method,
      path,
      who: signer(response) ?? 'nobody',
      status: isCutOff ? 'cut off' : response.headersSent ? response.statusCode : 'under way',
    }));

  return {
    write,
    requests,
    /** Each request as `GET /api/note  ada  200`. */
    lines: () => requests().map(({ method, path, who, status }) => `${method} ${path}  ${who}  ${status}`),
    /** Begins a new page. */
    clear: () => void (seen.length = 0),
  };
}

export type ServerLog = ReturnType<typeof createServerLog>;
