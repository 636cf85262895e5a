import { useState, type ReactNode } from 'react';
import type { setupRestApi } from '../../support/setupRestApi.js';

interface WithTokenProps {
  app: Pick<ReturnType<typeof setupRestApi>, 'server'>;
  children: (accessToken: string) => ReactNode;
}

/** Holds a token in state, and has a button that gets a new token of the same user. */
export function WithToken({ app, children }: WithTokenProps) {
  const [accessToken, setAccessToken] = useState('ada-1');
  return (
    <>
      <button type="button" onClick={() => setAccessToken(app.server.signIn('ada').accessToken)}>
        New token
      </button>
      {children(accessToken)}
    </>
  );
}
