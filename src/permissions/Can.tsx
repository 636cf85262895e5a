import type { ReactNode } from 'react';
import { wrapText } from '../wrapText.js';
import type { Permission, PermissionSubject } from './PermissionAnswers.js';
import { useCan } from './useCan.js';

export interface CanProps {
  /** What the user wants to do: `'delete'`, or any word of your own. */
  action: string;
  /** The record (an entity), its class for a question about all of them, or `{ type, id }`. @default the action is about no record */
  on?: PermissionSubject | undefined;
  /** A field of the record. @default the record as a whole */
  field?: string | undefined;
  /** Shown when the user may not, or when that could not be found out. A function gets the reason. @default nothing */
  fallback?: ReactNode | ((permission: Permission) => ReactNode);
  /** Shown when the user may do it, and never before that is known. */
  children: ReactNode;
}

/**
 * Shows its children to users who may do something; see `useCan`. It hides: the server has to refuse.
 *
 * @throws TypeError when the provider has no `can`, or `on` has no type.
 * @example
 * <Can action="delete" on={article} fallback={({ reason }) => <span>{reason}</span>}>
 *   <button type="button" onClick={() => void remove()}>Delete</button>
 * </Can>
 */
export function Can({ action, on, field, fallback, children }: CanProps): ReactNode {
  const permission = useCan(action, on, field);
  if (permission.status === 'allowed') return wrapText(children);
  if (permission.status === 'pending') return null;
  return wrapText(typeof fallback === 'function' ? fallback(permission) : fallback);
}
