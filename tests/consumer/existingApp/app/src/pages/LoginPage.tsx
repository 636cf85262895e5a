import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { login } from '../api';

export function LoginPage() {
  const navigate = useNavigate();
  const [error, setError] = useState('');

  async function signIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [username, password] = ['username', 'password'].map(name => form.get(name)) as [string, string];
    try {
      await login({ username, password });
      await navigate('/');
    } catch {
      setError('That is not the right user name and password.');
    }
  }

  return (
    <form onSubmit={event => void signIn(event)}>
      <label>
        User name <input name="username" autoComplete="username" />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" />
      </label>
      <button>Sign in</button>
      <p role="alert">{error}</p>
    </form>
  );
}
