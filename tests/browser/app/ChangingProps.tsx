import type { Middleware } from '@data-client/react';
import { StrictMode, useState, type ReactNode } from 'react';
import { sessionCore } from '../../../src/endpoints/sessionCore.js';
import { Authenticated, createTokenSession, TokenAuthProvider, useAuth, type Session } from '../../../src/index.js';
import { lock } from '../../../src/entries/lock.js';
import { managers } from '../../../src/entries/managers.js';

interface User {
  id: string;
}

const sessionOf = (id: string) => createTokenSession({ login: async () => ({ accessToken: `${id}-1`, user: { id } }) });

const sessions = { ada: sessionOf('ada'), grace: sessionOf('grace') };

const notes: string[] = [];
Object.assign(window, { notes });

const logging = managers(({ subject = 'nobody' }) => [
  {
    middleware: (() => next => next) as Middleware,
    init: () => void notes.push(`init ${subject}`),
    cleanup: () => void notes.push(`cleanup ${subject}`),
  },
]);

/** The same element at each render of the page. */
const screen = (
  <ul id="rows">
    <Authenticated fallback="signed out" locked={<SignIn />}>
      <Rows />
      <li>the last row</li>
    </Authenticated>
  </ul>
);

function SignIn() {
  const { login } = useAuth();
  return <button onClick={() => void login()}>Sign in again</button>;
}

function Rows() {
  const { user } = useAuth<Session<User>>();
  const [rows, setRows] = useState(1);
  Object.assign(window, { addRow: () => setRows(rows + 1) });
  return Array.from({ length: rows }, (_, index) => (
    <li key={index}>
      {user?.id} <input />
    </li>
  ));
}

interface Props {
  person: keyof typeof sessions;
  mount: number;
  isLocking: boolean;
}

/** A provider whose props change while it is mounted. */
export function ChangingProps({ isStrict }: { isStrict: boolean }) {
  const [props, setProps] = useState<Props>();
  const start = async () => {
    for (const session of Object.values(sessions)) await session.login();
    setProps({ person: 'ada', mount: 1, isLocking: false });
  };
  if (!props) return <button onClick={() => void start()}>Start</button>;
  const { person, mount, isLocking } = props;
  const Mode = isStrict ? StrictMode : Plain;
  const change = (name: string, next: Partial<Props>) => (
    <button onClick={() => setProps({ ...props, ...next })}>{name}</button>
  );
  return (
    <Mode>
      {change('Other session', { person: 'grace' })}
      {change('Other key', { mount: mount + 1 })}
      {change('Give a lock', { isLocking: true })}
      {change('Take the lock', { isLocking: false })}
      <button onClick={() => sessionCore(sessions[person]).expire()}>Expire</button>
      <TokenAuthProvider
        key={mount}
        session={sessions[person]}
        managers={logging}
        onExpiry={isLocking ? lock() : undefined}
      >
        {screen}
      </TokenAuthProvider>
    </Mode>
  );
}

const Plain = ({ children }: { children: ReactNode }) => children;
