import { createContext, useContext, type ReactNode } from 'react';
import { ContextTokenProvider } from '../../../src/index.js';

/** A context that your app has already. */
export const AccountContext = createContext<{ id: string; token: string } | null>(null);

export function TokenOfAContext({ children }: { children: ReactNode }) {
  const account = useContext(AccountContext);
  return (
    <ContextTokenProvider token={account?.token ?? null} subject={account?.id ?? null}>
      {children}
    </ContextTokenProvider>
  );
}
