import { createContext, useContext } from 'react';
import { useNearestSession } from '../endpoints/SessionContext.js';
import type { PermissionAnswers, Permissions } from './PermissionAnswers.js';

/** The `can` of the nearest provider. */
export const PermissionsContext = /* @__PURE__ */ createContext<Permissions | undefined>(undefined);

/** The answers for the identity of the screen. The same object until that ends; undefined for a provider without `can`. */
export function usePermissionAnswers(): PermissionAnswers | undefined {
  const can = useContext(PermissionsContext);
  const bound = useNearestSession();
  return bound && can?.(bound);
}
