import type { ReactNode } from 'react';
import { CookieAuthProvider, TokenAuthProvider } from '../../../src/index.js';
import { sessionClock, SessionWarning } from '../../../src/entries/clock.js';
import { lock } from '../../../src/entries/lock.js';
import { LoginForm } from '../../../src/entries/widgets.js';
import { cookieSession } from './cookieSession.js';
import { DemoApp } from './DemoApp.js';
import { can, GuardedNotes } from './GuardedNotes.js';
import { jwtSession } from './jwtSession.js';
import { OtherClients } from './OtherClients.js';
import { oidcSession } from './oidcSession.js';
import { openIdClient, returnToOpener } from './openIdClient.js';
import { Sdk, SdkProvider } from './Sdk.js';
import { SensitiveNotes } from './SensitiveNotes.js';

/** The address without what a provider has added to it. */
const RETURN_TO = 'return to';

/** A clock that ends an idle session after these milliseconds, and warns half of the time before. */
function clockOf(idle: string | null) {
  if (idle === null) return undefined;
  const after = Number(idle);
  return sessionClock({ idle: { after, warn: after / 2 } });
}

/** The app that the search params ask for; the same below its provider, whatever that is. */
export async function createApp(search: URLSearchParams): Promise<ReactNode> {
  if (search.has('code') && returnToOpener()) return null;
  const kind = search.has('code') ? new URLSearchParams(sessionStorage.getItem(RETURN_TO) ?? '') : search;
  const note = kind.get('note');
  const client = openIdClient(kind.get('issuer') ?? '');
  const leaveToSignIn = () => {
    sessionStorage.setItem(RETURN_TO, kind.toString());
    return client.leaveToSignIn();
  };
  const loginForm = <LoginForm fields={[]} onSubmit={leaveToSignIn} />;
  const onExpiry = kind.has('lock') ? lock() : undefined;

  switch (kind.get('session')) {
    case 'cookie':
      return (
        <CookieAuthProvider session={cookieSession()} clock={clockOf(kind.get('idle'))} onExpiry={onExpiry}>
          {kind.has('idle') && <SessionWarning />}
          {kind.has('step-up') ? (
            <SensitiveNotes loginForm={<LoginForm />} />
          ) : (
            <DemoApp loginForm={<LoginForm />} note={note} />
          )}
        </CookieAuthProvider>
      );
    case 'jwt':
      return (
        <TokenAuthProvider session={jwtSession()} clock={clockOf(kind.get('idle'))} onExpiry={onExpiry}>
          {kind.has('idle') && <SessionWarning />}
          <DemoApp loginForm={<LoginForm />} note={note} />
        </TokenAuthProvider>
      );
    case 'jwt-roles':
      return (
        <TokenAuthProvider session={jwtSession()} can={can}>
          <GuardedNotes />
        </TokenAuthProvider>
      );
    case 'jwt-clients': {
      const session = jwtSession();
      return <OtherClients provide={page => <TokenAuthProvider session={session}>{page}</TokenAuthProvider>} />;
    }
    case 'cookie-clients': {
      const session = cookieSession();
      return <OtherClients provide={page => <CookieAuthProvider session={session}>{page}</CookieAuthProvider>} />;
    }
    case 'oidc-sdk': {
      const sdk = new Sdk(client, leaveToSignIn);
      if (search.has('code')) await sdk.comeBack();
      history.replaceState(null, '', `?${kind.toString()}`);
      return (
        <SdkProvider sdk={sdk}>
          {kind.has('step-up') ? (
            <SensitiveNotes loginForm={loginForm} />
          ) : (
            <DemoApp loginForm={loginForm} note={note} onSignOut={sdk.signOut} />
          )}
        </SdkProvider>
      );
    }
    default: {
      const session = oidcSession(client, kind.get('expiry'));
      if (search.has('code')) await session.login();
      history.replaceState(null, '', `?${kind.toString()}`);
      return (
        <TokenAuthProvider session={session}>
          <DemoApp loginForm={loginForm} note={note} />
        </TokenAuthProvider>
      );
    }
  }
}
