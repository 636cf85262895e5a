import { useAuth } from '../../../src/index.js';
import type { session } from './tokenSession.js';

export function Greeting() {
  const { status, reason, user, logout } = useAuth<typeof session>();
  if (status === 'restoring') return <p>Checking whether you are signed in…</p>;
  if (status === 'anonymous') return <p>{reason === 'expired' ? 'Your session has ended.' : 'You are signed out.'}</p>;
  return (
    <p>
      Hello, {user?.name}!{' '}
      <button type="button" onClick={() => void logout()}>
        Sign out
      </button>
    </p>
  );
}
