import { RestEndpoint } from 'data-client-auth';
import { permissions, type PermissionAnswer, type PermissionQuestion } from 'data-client-auth/permissions';
import type { User } from './demoUsers';

/** What the page shows of `<Can>`, and the forms. The server refuses the rest by itself. */
export const can = permissions<User>({
  fromUser: ({ action, on }, user) => {
    if (user?.role === 'maintainer') return true;
    // About no single issue: everybody may write one, and only maintainers delete many.
    return on?.id === undefined ? action === 'create' : undefined;
  },
  // One request for all issues on the screen.
  ask: new RestEndpoint({
    path: '/api/permissions',
    method: 'POST',
    body: {} as { readonly questions: readonly PermissionQuestion[] },
    process: (answers: PermissionAnswer[]) => answers,
  }),
});
