import type { RequestHandler } from 'express';
import { findUser, userOf } from './Auth.ts';

const MAX_AGE_S = 300;

export const nowInSeconds = () => Math.floor(Date.now() / 1_000);

/**
 * Lets a request pass if the user has confirmed the session with the password in the last five minutes, and asks for it as RFC 9470
 * says. The sign-in does not count: with “Keep me signed in” it may be weeks old.
 */
export const requireStepUp: RequestHandler = (_request, response, next) => {
  if (nowInSeconds() - Number(response.locals.steppedUpAt) < MAX_AGE_S) return next();
  response.set('WWW-Authenticate', `Bearer error="insufficient_user_authentication", max_age="${MAX_AGE_S}"`);
  response.status(401).json({ message: 'Type your password again.' });
};

/** Comes before the route that records the confirmation. */
export const checkPassword: RequestHandler = ({ body }, response, next) => {
  const user = userOf(response);
  const { password } = (body ?? {}) as { password?: unknown };
  if (!user) response.status(401).json({ message: 'Sign in first.' });
  else if (findUser({ username: user.id, password })) next();
  // No 401, which says that the token or the cookie is refused.
  else response.status(422).json({ message: 'The password is wrong.' });
};
