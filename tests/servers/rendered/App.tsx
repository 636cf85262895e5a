import { useController } from '@data-client/react';
import { Suspense } from 'react';
import {
  Authenticated,
  CookieAuthProvider,
  createCookieSession,
  Entity,
  hookifyResource,
  resource,
  RestEndpoint,
  useAuth,
  type Session,
} from '../../../src/index.js';
import { LoginForm, ResourceList } from '../../../src/entries/widgets.js';

export interface User {
  id: string;
}

class Note extends Entity {
  id = '';
  title = '';
}

/** One for all requests of the server, as a module of an app has it. */
const Notes = hookifyResource(resource({ path: '/api/note/:id', schema: Note }));

/** A session for one request on the server, or for the page. */
export function makeSession(initial: User | null | undefined, server: boolean): Session<User, [object]> {
  return createCookieSession<[object], User>({
    login: new RestEndpoint({ path: '/auth/login', method: 'POST' }) as never,
    logout: new RestEndpoint({ path: '/auth/logout', method: 'POST', body: undefined }) as never,
    whoami: new RestEndpoint({ path: '/auth/whoami' }) as never,
    verifyResponse: ({ headers }) => headers.get('x-user-id') ?? undefined,
    initial,
    server,
  });
}

/** What a part of the page waits for on the server. */
export interface Wait {
  readonly promise: Promise<void>;
  isOver: boolean;
}

/** Suspends on the server, so that the renders of two requests take turns. */
function Greeting({ wait }: { wait: Wait | undefined }) {
  const { user } = useAuth<Session<User>>();
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- the way in which React 18 is told to wait
  if (wait && !wait.isOver) throw wait.promise;
  return <p>Welcome back, {user?.id}.</p>;
}

function Who() {
  const { status, reason, user } = useAuth<Session<User>>();
  return <p id="who">{[status, reason, user?.id].filter(Boolean).join(' ')}</p>;
}

/** Hands out the store's state, for a test to look for what must not be in it. */
function StateOf({ onState }: { onState: ((read: () => unknown) => void) | undefined }) {
  const controller = useController();
  onState?.(() => controller.getState());
  return null;
}

export interface AppProps {
  session: Session<User, [object]>;
  wait?: Wait;
  onState?: (read: () => unknown) => void;
}

/** The same on the server and in the page. */
export function App({ session, wait, onState }: AppProps) {
  return (
    <CookieAuthProvider session={session}>
      <StateOf onState={onState} />
      <Who />
      <Authenticated fallback={<LoginForm title="The gate" />} loading={<p>One moment…</p>}>
        <Suspense fallback={<p>Greeting…</p>}>
          <Greeting wait={wait} />
        </Suspense>
        <ResourceList label="Notes" resource={Notes} renderItem={({ title }) => title} />
      </Authenticated>
    </CookieAuthProvider>
  );
}
