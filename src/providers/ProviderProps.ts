import type { Controller } from '@data-client/react';
import type { ReactNode } from 'react';
import type { DevButton, GcPolicy } from '../dataClient/IdentityStore.js';
import type { Permissions } from '../permissions/PermissionAnswers.js';
import type { SessionClock } from '../sessionClock/RunningClock.js';
import type { ExpiryLock } from './ExpiryLock.js';
import type { OnError } from './failureReport.js';
import type { Managers } from './managers.js';

/** Props of each provider. */
export interface ProviderProps {
  /**
   * Your data-client managers, from `managers()`. May be a new object at every render. Give it from the first render on: one that comes
   * later runs from the next store on. @default none
   */
  managers?: Managers | undefined;
  /**
   * What the user may do, from `permissions()`. Components ask with `useCan` and `<Can>`, and the widgets leave out or disable what is
   * denied. Must be the same object at every render. @default the widgets ask nothing, and `useCan` throws
   */
  can?: Permissions | undefined;
  /**
   * Ends the session of a user who is away, from `sessionClock()`. Components read it with `useSessionClock` and `<SessionWarning>`. Must be
   * the same object at every render. @default the session ends when the server says so
   */
  clock?: SessionClock | undefined;
  /**
   * What happens when the session expires: `lock()` keeps the user's place. Give it from the first render on: one that comes later mounts
   * what is below `<Authenticated>` again. @default the session ends, and React unmounts its screen
   */
  onExpiry?: ExpiryLock | undefined;
  /** Your subclass of data-client's `Controller`. Read when a store is created. @default data-client's own */
  Controller?: typeof Controller | undefined;
  /** Where data-client shows its button for the devtools, in development. @default null: no button */
  devButton?: DevButton | undefined;
  /** data-client's garbage collection. All stores share it, one after the other. No effect with versions before 0.14, which collect no garbage. */
  gcPolicy?: GcPolicy | undefined;
  /**
   * Called when a widget below fails to read or to write, whether it shows the error itself or by a slot: the place for toasts and error
   * trackers. Called once for each error, after the widget has it; a retry that fails is another error. Not called when the
   * identity has changed, when a request was aborted, for the sign-in, and for errors without a `status`, which widgets throw
   * to the nearest error boundary. An error that it throws is reported as uncaught. May be a new function at every render.
   */
  onError?: OnError | undefined;
  /** The tree that uses the session. Its hooks, and resources hookified with the default `useInit`, find the session here. */
  children: ReactNode;
}
