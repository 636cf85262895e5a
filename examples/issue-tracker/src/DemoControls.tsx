import { useController } from '@data-client/react';
import { RestEndpoint, useAuth, useEndpoint } from 'data-client-auth';
import { useEffect, useState, type ReactNode } from 'react';
import { leaveFor } from './demoClock';
import { DEMO_USERS } from './demoUsers';
import { isCookieVariant, session } from './session';

const expireToken = new RestEndpoint({ path: '/api/expire-token', method: 'POST', body: undefined });
const expireSession = new RestEndpoint({ path: '/api/expire', method: 'POST', body: undefined });

const AWAY_MS = 14.5 * 60_000;
/** After the key or the press of the button, which would count as activity. */
const UNTIL_AWAY_MS = 500;

/** Only a demo has them. */
export function DemoControls() {
  const { user, login } = useAuth<typeof session>();
  const controller = useController();
  const endToken = useEndpoint(expireToken);
  const endSession = useEndpoint(expireSession);
  const [note, setNote] = useState('');
  // What was true of the last session is not true of the next.
  useEffect(() => session.subscribe(() => setNote('')), []);
  const nextUser = DEMO_USERS.find(({ id }) => id !== user?.id);
  const run = (action: Promise<unknown>, done: string) =>
    void action.then(
      () => setNote(done),
      (error: Error) => setNote(error.message),
    );
  return (
    <aside className="demo" aria-label="Demo">
      <p>Not part of the app: these buttons cause what otherwise takes minutes, or another user.</p>
      {!isCookieVariant && (
        <DemoButton
          onPress={() =>
            run(
              controller.fetch(endToken),
              'The server refuses the token now. Filter the list or save an issue: the token is refreshed, and the request is sent again.',
            )
          }
        >
          Let the token expire
        </DemoButton>
      )}
      <DemoButton
        onPress={() =>
          run(
            controller.fetch(endSession),
            'The server refuses the session now. Filter the list or save an issue to see what happens.',
          )
        }
      >
        Let the session expire
      </DemoButton>
      <DemoButton onPress={() => setTimeout(leaveFor, UNTIL_AWAY_MS, AWAY_MS)}>Leave for 14½ minutes</DemoButton>
      {nextUser && (
        <DemoButton onPress={() => run(login({ username: nextUser.id, password: nextUser.password }), '')}>
          Switch to {nextUser.name.split(' ')[0]}
        </DemoButton>
      )}
      <span role="status">{note}</span>
    </aside>
  );
}

function DemoButton({ onPress, children }: { onPress: () => unknown; children: ReactNode }) {
  return (
    <button type="button" className="dca-button" onClick={() => void onPress()}>
      {children}
    </button>
  );
}
