import { useAuth } from 'data-client-auth';
import { LoginForm } from 'data-client-auth/widgets';
import { Navigate, useSearchParams } from 'react-router';
import { DemoUsersHint } from './DemoUsersHint';
import { checkedReturnTo } from './requireSession';
import type { session } from './session';

export function SignInPage() {
  const { status } = useAuth<typeof session>();
  const [params] = useSearchParams();
  // After the sign-in, here or in another tab, and when “Try again” finds a session.
  if (status === 'authenticated') return <Navigate to={checkedReturnTo(params.get('returnTo'))} replace />;
  return (
    <main className="sign-in">
      <h1>Tern issues</h1>
      <LoginForm remember links={<DemoUsersHint />} />
    </main>
  );
}
