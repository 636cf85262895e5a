import { cookies, tokens } from '../src/mocks';
import { cookieSession, tokenSession } from '../src/sessions';
export const auth = {
  people: { ada: 'Ada', grace: 'Grace' },
  mechanisms: { token: { session: tokenSession, server: tokens }, cookie: { session: cookieSession, server: cookies } },
};
