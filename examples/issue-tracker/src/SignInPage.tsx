import { LoginForm } from 'data-client-auth';
import { useNavigate, useSearchParams } from 'react-router';
import { DemoUsersHint } from './DemoUsersHint';
import { checkedReturnTo } from './requireSession';

export function SignInPage() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  return (
    <main className="sign-in">
      <h1>Tern issues</h1>
      <LoginForm
        remember
        onSuccess={() => void navigate(checkedReturnTo(params.get('returnTo')), { replace: true })}
        links={<DemoUsersHint />}
      />
    </main>
  );
}
