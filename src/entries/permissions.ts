// `data-client-auth/permissions`: what the user may do, for components and widgets.
export { Can, type CanProps } from '../permissions/Can.js';
export type {
  PermissionAnswer,
  PermissionQuestion,
  Permissions,
  PermissionsOptions,
} from '../permissions/PermissionAnswers.js';
export { permissions } from '../permissions/permissions.js';
export { useCan } from '../permissions/useCan.js';
