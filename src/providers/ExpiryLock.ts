import { createContext, type ComponentType, type ReactNode } from 'react';
import type { SessionCore } from '../session/extension.js';

export interface LockScreenProps {
  isLocked: boolean;
  /** Where the user signs in while the session is locked. Undefined: another `<Authenticated>` shows it. */
  prompt: ReactNode;
  children: ReactNode;
}

/** What `lock()` makes, for the `onExpiry` of a provider. */
export interface ExpiryLock {
  /** Locks this session when it expires, until the returned function is called. */
  readonly attach: (session: SessionCore) => () => void;
  /** Keeps the children of `<Authenticated>`. */
  readonly Screen: ComponentType<LockScreenProps>;
}

/** The `onExpiry` of the nearest provider. */
export const LockContext = /* @__PURE__ */ createContext<ExpiryLock | undefined>(undefined);
