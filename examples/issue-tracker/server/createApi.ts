import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { userOf } from './Auth.ts';
import { cookieAuth } from './cookieAuth.ts';
import { issueRoutes } from './issueRoutes.ts';
import { tokenAuth } from './tokenAuth.ts';

export type AuthVariant = 'token' | 'cookie';

/** Prints each request with its user and its status: `GET /api/issues  ada  200`. */
const printRequest: RequestHandler = ({ method, originalUrl }, response, next) => {
  response.once('finish', () =>
    console.log(`${method} ${originalUrl}  ${userOf(response)?.id ?? 'nobody'}  ${response.statusCode}`),
  );
  next();
};

const requireUser: RequestHandler = (_request, response, next) => {
  if (userOf(response)) next();
  else response.status(401).json({ message: 'Sign in first.' });
};

/** Errors as JSON. The kit reads `code` to find out that a CSRF token was refused. */
const answerError: ErrorRequestHandler = (
  error: { status?: number; code?: string; message: string },
  _,
  response,
  next,
) => {
  const { status = 500, code, message } = error;
  if (response.headersSent) return next(error);
  response.status(status).json({ code, message: status < 500 ? message : 'Something went wrong.' });
};

/** The API, below `/api`. */
export async function createApi(variant: AuthVariant): Promise<Express> {
  const auth = variant === 'cookie' ? cookieAuth() : await tokenAuth();
  return express()
    .disable('x-powered-by')
    .use(printRequest, express.json(), ...auth.identify)
    .use(auth.routes)
    .use(requireUser, issueRoutes())
    .use(answerError);
}
