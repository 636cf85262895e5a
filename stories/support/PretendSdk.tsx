import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import type { PretendPerson, PretendTokenServer } from '../../src/testing/index.js';

/** What an SDK in the shape of Auth0's tells a component: who is signed in, and a token when asked. */
export interface PretendSdk {
  readonly user: { readonly sub: string; readonly name: string } | undefined;
  readonly isAuthenticated: boolean;
  getAccessTokenSilently(options?: { cacheMode?: 'on' | 'off' }): Promise<string>;
  loginAs(person: PretendPerson): void;
  logout(): void;
}

const SdkContext = createContext<PretendSdk | undefined>(undefined);

export function usePretendSdk(): PretendSdk {
  const sdk = useContext(SdkContext);
  if (!sdk) throw new Error('usePretendSdk() needs a <PretendSdkProvider> above it.');
  return sdk;
}

/** Holds the token in a cache of its own, as SDKs do; `cacheMode: 'off'` goes past it. */
export function PretendSdkProvider({ server, startsAs, children }: { server: PretendTokenServer; startsAs: PretendPerson | undefined; children: ReactNode }) {
  const [person, setPerson] = useState(startsAs);
  const sdk = useMemo<PretendSdk>(() => {
    let cached: string | undefined;
    return {
      user: person && { sub: person.id, name: person.name },
      isAuthenticated: person !== undefined,
      getAccessTokenSilently: async ({ cacheMode = 'on' } = {}) => {
        if (!person) throw Object.assign(new Error('Login required'), { error: 'login_required' });
        if (cached === undefined || cacheMode === 'off') cached = server.signIn(person.id).accessToken;
        return cached;
      },
      loginAs: setPerson,
      logout: () => setPerson(undefined),
    };
  }, [person, server]);
  return <SdkContext.Provider value={sdk}>{children}</SdkContext.Provider>;
}
