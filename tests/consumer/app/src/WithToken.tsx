import { createTokenSession, RestEndpoint, TokenAuthProvider } from 'data-client-auth';
import { Page } from './Page';

interface Answer {
  accessToken: string;
  refreshToken: string;
  user: { id: string; name: string };
}

const session = createTokenSession({
  login: new RestEndpoint({
    path: '/api/login',
    method: 'POST',
    body: {} as { username: string; password: string },
    process: (value): Answer => value,
  }),
  refresh: new RestEndpoint({
    path: '/api/refresh',
    method: 'POST',
    body: {} as { refreshToken: string | undefined },
    process: (value): Answer => value,
  }),
  logout: new RestEndpoint({ path: '/api/logout', method: 'POST', body: undefined }),
  header: 'Authorization',
});

declare module 'data-client-auth' {
  interface Register {
    session: typeof session;
  }
}

export const WithToken = () => (
  <TokenAuthProvider session={session}>
    <Page />
  </TokenAuthProvider>
);
