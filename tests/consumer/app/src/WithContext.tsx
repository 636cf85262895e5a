import { ContextTokenProvider } from 'data-client-auth';
import { useState } from 'react';
import { Page } from './Page';

/** What an SDK would know: who is there, and the token. */
interface Known {
  id: string;
  token: string;
}

async function askForToken(username: string): Promise<Known> {
  const response = await fetch('/api/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: username }),
  });
  const { accessToken, user } = (await response.json()) as { accessToken: string; user: { id: string } };
  return { id: user.id, token: accessToken };
}

export function WithContext() {
  const [known, setKnown] = useState<Known>();
  return (
    <ContextTokenProvider
      subject={known?.id ?? null}
      getToken={async ({ forceRefresh }) =>
        known && forceRefresh ? (await askForToken(known.id)).token : known?.token
      }
      header="Authorization"
      trustedOrigins={typeof location === 'undefined' ? [] : [location.origin]}
    >
      <Page signIn={<button onClick={() => void askForToken('ada').then(setKnown)}>Sign in at the SDK</button>} />
    </ContextTokenProvider>
  );
}
