import { LoginForm } from 'data-client-auth';
import { useNavigate, useSearchParams } from 'react-router';
import { DEMO_USERS } from './demoUsers';
import { checkedReturnTo } from './requireSession';

export function SignInPage() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  return (
    <main className="sign-in">
      <h1>Tern issues</h1>
      <LoginForm remember onSuccess={() => void navigate(checkedReturnTo(params.get('returnTo')), { replace: true })} />
      <p className="meta">
        This is a demo. Sign in as {DEMO_USERS.map(({ id, password }) => `${id} (password ${password})`).join(' or ')}.
      </p>
    </main>
  );
}
