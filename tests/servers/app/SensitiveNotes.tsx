import type { ReactNode } from 'react';
import { Authenticated } from '../../../src/index.js';
import { Challenge } from '../../../src/entries/step-up.js';
import { PaginatedList } from '../../../src/entries/widgets.js';
import { Notes, SignOut, AuthStatus } from './DemoApp.js';

/** Notes that the server deletes only after it has asked who it is once more. The buttons have no text, so that a row's text is its title. */
export function SensitiveNotes({ loginForm }: { loginForm: ReactNode }) {
  return (
    <>
      <AuthStatus />
      <Authenticated fallback={loginForm}>
        <SignOut onSignOut={undefined} />
        <PaginatedList
          label="Notes"
          resource={Notes}
          renderItem={(note, { remove }) => (
            <>
              {note.title}
              <button type="button" aria-label={`Delete ${note.title}`} onClick={() => void remove().catch(() => {})} />
            </>
          )}
        />
      </Authenticated>
      <Challenge />
    </>
  );
}
