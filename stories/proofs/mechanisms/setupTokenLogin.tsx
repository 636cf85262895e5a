import type { Meta } from '@storybook/react-vite';
import { useState, type ReactNode } from 'react';
import { requestLines, resourceHandlers, tokenAuthHandlers } from '../../../src/testing/index.js';
import { setAuthToken } from '../../mechanisms/shown/authToken.js';
import { login } from '../../mechanisms/shown/login.js';
import { StaticTokenEndpoint } from '../../mechanisms/shown/StaticTokenEndpoint.js';
import { vault } from '../../mechanisms/shown/vault.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, articleResource, people, rows } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { requestsOnly } from '../../support/requestsOnly.js';

/** A server with a login, an app that keeps no token yet, and the settings of stories about them. */
export function setupTokenLogin() {
  const server = tokenAuthHandlers({ url: api, people });
  const articles = resourceHandlers(articleResource(), rows, { auth: server });
  const meta = {
    parameters: { ...requestsOnly },
    decorators: inPlainStore,
    beforeEach: ({ msw }) => {
      server.reset();
      articles.reset();
      StaticTokenEndpoint.accessToken = undefined;
      setAuthToken(undefined);
      vault.lock();
      msw.use(...server.handlers, ...articles.handlers);
    },
  } satisfies Meta;
  const sent = requestLines({ prefix: api });
  return { server, sent, meta, adaSignsIn: sent.post('/login').json({ username: 'ada', password: 'lovelace' }) };
}

interface SignInProps {
  /** Where the application keeps the token. */
  store: (accessToken: string) => void;
  password?: string;
  children: ReactNode;
}

/** Exchanges a password for a token, and then shows what needs it. */
export function SignIn({ store, password = 'lovelace', children }: SignInProps) {
  const [isSignedIn, setIsSignedIn] = useState(false);
  if (isSignedIn) return children;
  return (
    <ActionButton
      label="Sign in"
      act={async () => {
        const { accessToken } = await login({ username: 'ada', password });
        store(accessToken);
        setIsSignedIn(true);
        return 'Signed in';
      }}
    />
  );
}

/** Keeps the token in the class of the endpoints. */
export const keepInClass = (accessToken: string) => void (StaticTokenEndpoint.accessToken = accessToken);
