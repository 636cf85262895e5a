import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import type { MockPerson, MockTokenServer } from '../../src/testing/index.js';
import type { SdkControls } from './sdkControls.js';

/** What the hook of the mock SDK returns: the user, and a function that gets a token. Its names are those of Auth0's SDK. */
export interface MockSdk {
  readonly user: { readonly sub: string; readonly name: string } | undefined;
  readonly isAuthenticated: boolean;
  getAccessTokenSilently(options?: { cacheMode?: 'on' | 'off' }): Promise<string>;
  loginAs(person: MockPerson): void;
  logout(): void;
}

const SdkContext = createContext<MockSdk | undefined>(undefined);

export function useMockSdk(): MockSdk {
  const sdk = useContext(SdkContext);
  if (!sdk) throw new Error('useMockSdk() needs a <MockSdkProvider> above it.');
  return sdk;
}

interface MockSdkProviderProps {
  server: MockTokenServer;
  startsAs: MockPerson | undefined;
  controls: SdkControls;
  children: ReactNode;
}

/** Has its own cache with a token, as SDKs do. `cacheMode: 'off'` skips the cache. */
export function MockSdkProvider({ server, startsAs, controls, children }: MockSdkProviderProps) {
  const [person, setPerson] = useState(startsAs);
  const sdk = useMemo<MockSdk>(() => {
    let cached: { token: string; renewals: number } | undefined;
    return {
      user: person && { sub: person.id, name: person.name },
      isAuthenticated: person !== undefined,
      getAccessTokenSilently: async ({ cacheMode = 'on' } = {}) => {
        if (!person) throw Object.assign(new Error('Login required'), { error: 'login_required' });
        if (cacheMode === 'off') await controls.pass();
        if (cacheMode === 'off' || cached?.renewals !== controls.renewals)
          cached = { token: server.signIn(person.id).accessToken, renewals: controls.renewals };
        return cached.token;
      },
      loginAs: setPerson,
      logout: () => setPerson(undefined),
    };
  }, [controls, person, server]);
  return <SdkContext.Provider value={sdk}>{children}</SdkContext.Provider>;
}
