import { cookies, tokens } from './mechanismMocks';
import { cookieSession, tokenSession } from './sessions';

/** In place of the preview's one session: the toolbar chooses. */
export const mechanisms = {
  token: { session: tokenSession, server: tokens },
  cookie: { session: cookieSession, server: cookies },
};
