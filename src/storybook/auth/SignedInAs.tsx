import { ContextTokenProvider, CookieAuthProvider, TokenAuthProvider } from 'data-client-auth';
import { useEffect, type ReactNode } from 'react';
import type { StoryProvider } from './signInStory.js';

interface SignedInAsProps {
  provider: StoryProvider;
  /** Called after each mount. The function that it returns is called after the unmount. */
  onMount: () => () => void;
  children: ReactNode;
}

/** Provides the session of a story, by the provider of its mechanism. */
export function SignedInAs({ provider, onMount, children }: SignedInAsProps) {
  useEffect(onMount, [onMount]);
  switch (provider.kind) {
    case 'context':
      return <ContextTokenProvider {...provider.props}>{children}</ContextTokenProvider>;
    case 'cookie':
      return (
        <CookieAuthProvider session={provider.session} initial={provider.initial}>
          {children}
        </CookieAuthProvider>
      );
    case 'token':
      return <TokenAuthProvider session={provider.session}>{children}</TokenAuthProvider>;
  }
}
