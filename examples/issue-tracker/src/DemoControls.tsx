import { useController } from '@data-client/react';
import { useAuth, useEndpoint } from 'data-client-auth';
import { useState } from 'react';
import { DEMO_USERS } from './demoUsers';
import { expireCredential, type session } from './session';

/** Only a demo has them: an expiry and a switch of the user at the press of a button. */
export function DemoControls() {
  const { user, login } = useAuth<typeof session>();
  const controller = useController();
  const expire = useEndpoint(expireCredential);
  const [note, setNote] = useState('');
  const nextUser = DEMO_USERS.find(({ id }) => id !== user?.id);
  const run = (action: Promise<unknown>, done: string) =>
    void action.then(
      () => setNote(done),
      (error: Error) => setNote(error.message),
    );
  return (
    <aside className="demo" aria-label="Demo">
      <button
        type="button"
        className="dca-button"
        onClick={() => run(controller.fetch(expire), 'The server refuses the session from now on.')}
      >
        Let the session expire
      </button>
      {nextUser && (
        <button
          type="button"
          className="dca-button"
          onClick={() => run(login({ username: nextUser.id, password: nextUser.password }), '')}
        >
          Switch to {nextUser.name.split(' ')[0]}
        </button>
      )}
      <span role="status" className="grow">
        {note}
      </span>
    </aside>
  );
}
