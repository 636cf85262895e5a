import type { ReactNode } from 'react';
import {
  AccountsProvider,
  createAccounts,
  useAccounts,
  useActor,
  type Accounts,
  type NewAccount,
} from '../../../src/entries/accounts.js';
import { RestEndpoint, type Session } from '../../../src/index.js';
import type { App } from './createApp.js';

const post = (path: string) => new RestEndpoint({ path, method: 'POST', body: {} as { username: string } });

/** What changes the account, and who acts. `kind`: whose login the act-as is. */
function AccountButtons({ kind }: { kind: 'token' | 'cookie' }) {
  const { accounts, show, add, actAs, stopActing } = useAccounts();
  const actor = useActor<{ id: string }>();
  const ids = accounts.map(({ id, user }) => [id, (user as { id: string } | undefined)?.id] as const);
  const stop = () => (kind === 'cookie' ? stopActing(post('/cookie/login\\?stop'), { username: 'ada' }) : stopActing());
  return (
    <p>
      <span id="actor">{actor?.id}</span>
      {ids.map(([id, name]) => (
        <button key={id} type="button" onClick={() => show(id)}>
          Show {name}
        </button>
      ))}
      <button type="button" onClick={add}>
        Add
      </button>
      <button type="button" onClick={() => void actAs(post(`/${kind}/login\\?act`), { username: 'bob' })}>
        Act as bob
      </button>
      <button type="button" onClick={() => void stop()}>
        Stop acting
      </button>
    </p>
  );
}

/** The app with several accounts; its session is that of the shown one. */
export function accountsApp(
  app: App,
  kind: 'token' | 'cookie',
  session: (account: NewAccount) => Session<any, any, any, any>,
  screen: ReactNode,
): void {
  const accounts: Accounts = createAccounts({ session });
  Object.defineProperty(app, 'session', { get: () => accounts.getSnapshot().shown.session });
  app.element = (
    <AccountsProvider accounts={accounts}>
      <AccountButtons kind={kind} />
      {screen}
    </AccountsProvider>
  );
}
