import type { ReactNode } from 'react';
import { ContextTokenProvider } from '../../../src/index.js';
import { api } from '../../support/articles.js';
import { useMockSdk } from '../../support/MockSdk.js';

export function BearerOfASdk({ children }: { children: ReactNode }) {
  const { user, getAccessTokenSilently } = useMockSdk();
  return (
    <ContextTokenProvider
      subject={user?.sub ?? null}
      getToken={() => getAccessTokenSilently()}
      header="Authorization" // sends “Authorization: Bearer …”; 'Authorization: token' has another word
      trustedOrigins={[api]}
    >
      {children}
    </ContextTokenProvider>
  );
}
