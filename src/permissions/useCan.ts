import type { Permission, PermissionSubject } from './PermissionAnswers.js';
import { usePermissions } from './usePermissions.js';

/**
 * Returns whether the user may do something. Re-renders when that changes, and never for another question.
 *
 * All questions that the components of one render ask are sent with one request; a question that was answered for this user is
 * not asked again. Until the answer comes, the status is `pending`: show nothing that may be denied.
 *
 * @param on The record (an entity), its class for a question about all of them, or `{ type, id }`. @default the action is about no record
 * @param field A field of the record. @default the record as a whole
 * @throws TypeError when the provider has no `can`, or `on` has no type.
 * @example
 * const { status, reason } = useCan('publish', article);
 */
export function useCan(action: string, on?: PermissionSubject, field?: string): Permission {
  const [permission] = usePermissions([{ action, on, field }]) ?? [];
  if (!permission)
    throw new TypeError(
      'The provider above has no permissions. Give it the prop `can`: <TokenAuthProvider can={permissions({ fromUser, ask })}>.',
    );
  return permission;
}
