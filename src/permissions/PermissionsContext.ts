import { createContext } from 'react';
import type { Permissions } from './PermissionAnswers.js';

/** The `can` of the nearest provider. */
export const PermissionsContext = createContext<Permissions | undefined>(undefined);
