import { DEMO_USERS } from './demoUsers';

/** Only a demo says its passwords. */
export function DemoUsersHint() {
  const users = DEMO_USERS.map(({ id, password }) => `${id} (password ${password})`).join(' and ');
  return <span className="meta">This is a demo, with the users {users}.</span>;
}
