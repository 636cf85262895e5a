import { useController } from '@data-client/react';
import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react';
import { sessionCore } from '../endpoints/sessionCore.js';
import { MissingProviderError } from '../errors.js';
import { AuthProvider } from '../providers/AuthProvider.js';
import type { ProviderProps } from '../providers/ProviderProps.js';
import type { RegisteredSession } from '../providers/useAuth.js';
import { useFreshSnapshot } from '../providers/useFreshSnapshot.js';
import type { Account, Accounts, AccountsSnapshot, AnySession } from './createAccounts.js';

export interface AccountsProviderProps extends ProviderProps {
  /** The accounts from `createAccounts`. Create them once, outside React. */
  accounts: Accounts;
}

const AccountsContext = /* @__PURE__ */ createContext<Accounts | undefined>(undefined);
const AccountContext = /* @__PURE__ */ createContext<Account | undefined>(undefined);

/**
 * Provides the session of the account that is shown, in place of `TokenAuthProvider` or `CookieAuthProvider`, and takes their props. Each
 * account has a store of its own, and what is below is mounted anew when another one is shown. Of the accounts that were shown last, `keep`
 * have their stores kept, with their managers: when one of them is shown again, its data is there in the first frame, and is then
 * fetched again.
 *
 * @example
 * <AccountsProvider accounts={accounts}>
 *   <Authenticated fallback={<LoginForm />}>…</Authenticated>
 * </AccountsProvider>
 */
export function AccountsProvider({ accounts, children, ...props }: AccountsProviderProps) {
  const { kept, shown } = useFreshSnapshot(accounts.subscribe, accounts.getSnapshot, accounts.getServerSnapshot);
  return (
    <AccountsContext.Provider value={accounts}>
      {kept.map(account => (
        <AuthProvider {...props} key={account.id} session={sessionCore(account.session)}>
          <Screen account={account} isShown={account === shown}>
            {children}
          </Screen>
        </AuthProvider>
      ))}
    </AccountsContext.Provider>
  );
}

interface ScreenProps {
  account: Account;
  isShown: boolean;
  children: ReactNode;
}

/** The tree of an account that is not shown is unmounted, so that it sends nothing; its store stays. */
function Screen({ account, isShown, children }: ScreenProps) {
  const controller = useController();
  useEffect(() => {
    if (!isShown) void controller.expireAll({ testKey: () => true });
  }, [isShown, controller]);
  return isShown && <AccountContext.Provider value={account}>{children}</AccountContext.Provider>;
}

/**
 * Returns the accounts, and what changes which one is shown. Renders when an account, or the user of one, changes.
 *
 * @throws MissingProviderError without `AccountsProvider` above.
 * @example
 * const { accounts, shown, show, add } = useAccounts();
 */
export function useAccounts<S extends AnySession = RegisteredSession>(): AccountsSnapshot<S> & Accounts<S> {
  const accounts = useContext(AccountsContext);
  if (!accounts) throw new MissingProviderError('useAccounts()');
  const snapshot = useFreshSnapshot(accounts.subscribe, accounts.getSnapshot, accounts.getServerSnapshot);
  return useMemo(
    () => ({ ...accounts, ...snapshot }) as unknown as AccountsSnapshot<S> & Accounts<S>,
    [accounts, snapshot],
  );
}

/**
 * Returns the user who acts as the one that `useAuth().user` is; undefined while no user acts as another.
 *
 * @throws MissingProviderError without `AccountsProvider` above.
 */
export function useActor<User = unknown>(): User | undefined {
  const account = useContext(AccountContext);
  if (!account) throw new MissingProviderError('useActor()');
  return account.actor as User | undefined;
}
