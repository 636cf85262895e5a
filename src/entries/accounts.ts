// `data-client-auth/accounts`: several signed-in accounts, tenants, and acting as another user. An app that does not import it pays nothing.
export {
  createAccounts,
  type Account,
  type Accounts,
  type AccountsOptions,
  type AccountsSnapshot,
  type NewAccount,
} from '../accounts/createAccounts.js';
export { AccountsProvider, useAccounts, useActor, type AccountsProviderProps } from '../accounts/AccountsProvider.js';
