import { Authenticated, RestEndpoint } from '../../../src/index.js';
import { Can, permissions, type PermissionAnswer, type PermissionQuestion } from '../../../src/entries/permissions.js';
import { LoginForm, PaginatedList } from '../../../src/entries/widgets.js';
import { Notes } from './DemoApp.js';

/** The server decides everything. */
export const can = permissions({
  ask: new RestEndpoint({
    path: '/api/permissions',
    method: 'POST',
    body: {} as { readonly questions: readonly PermissionQuestion[] },
    process: (answers): PermissionAnswer[] => answers,
  }),
});

/** Notes with a button that only editors have. */
export function GuardedNotes() {
  return (
    <Authenticated fallback={<LoginForm />}>
      <PaginatedList
        label="Notes"
        resource={Notes}
        renderItem={(note, { remove }) => (
          <>
            <span>{note.title}</span>
            <Can action="delete" on={note} fallback={({ reason }) => <em>{reason}</em>}>
              <button type="button" onClick={() => void remove()}>
                Delete {note.title}
              </button>
            </Can>
          </>
        )}
      />
    </Authenticated>
  );
}
