import { useContext } from 'react';
import { SessionContext } from '../endpoints/SessionContext.js';
import type { PermissionAnswers } from './PermissionAnswers.js';
import { PermissionsContext } from './PermissionsContext.js';

/** The answers for the identity of the screen. The same object until that ends; undefined for a provider without `can`. */
export function usePermissionAnswers(): PermissionAnswers | undefined {
  const can = useContext(PermissionsContext);
  const bound = useContext(SessionContext);
  return bound && can?.(bound);
}
