import { __INTERNAL__, CacheProvider, type Controller, type Manager } from '@data-client/react';
import type { ComponentProps, ReactNode } from 'react';
import { isDevelopment } from '../isDevelopment.js';
import type { SessionCore } from '../session/extension.js';
import { assertElementsFit } from './assertElementsFit.js';
import type { HostedManagers } from './HostedManagers.js';
import { storeControllerClass } from './storeController.js';
import { storeManagers } from './storeManagers.js';
import { UserRecord } from './UserRecord.js';

type CacheProviderProps = ComponentProps<typeof CacheProvider>;

/** Where data-client shows its button for the devtools. */
export type DevButton = CacheProviderProps['devButton'];

/** data-client's `GCInterface`, where the installed version has one. */
export type GcPolicy = CacheProviderProps extends { gcPolicy?: infer Policy } ? Policy | undefined : object | undefined;

/** What an app chooses for its stores. */
interface StoreOptions {
  readonly hosted?: HostedManagers | undefined;
  readonly Controller?: typeof Controller | undefined;
}

/** The managers and the controller of one store. */
export interface IdentityStoreParts {
  readonly managers: Manager[];
  readonly StoreController: typeof Controller;
  /** Undefined: the session's user is no record. */
  readonly userRecord: UserRecord | undefined;
}

/** Creates the managers and the controller of a store. Called once for each store generation of a session. */
export function createStoreParts(
  session: SessionCore,
  generationEnd: AbortSignal,
  { hosted, Controller }: StoreOptions = {},
): IdentityStoreParts {
  if (isDevelopment) assertElementsFit();
  const userRecord = session.userClass && new UserRecord(session);
  return {
    userRecord,
    managers: storeManagers(session, hosted, userRecord),
    StoreController: storeControllerClass(generationEnd, Controller),
  };
}

interface IdentityStoreProps {
  parts: IdentityStoreParts;
  devButton: DevButton;
  gcPolicy: GcPolicy;
  children: ReactNode;
}

/** data-client's store for one identity. Change its `key` when the identity changes. data-client 0.10 has no defaults for these props. */
export function IdentityStore({ parts, devButton = null, gcPolicy, children }: IdentityStoreProps) {
  // data-client 0.10 has no garbage collection, and ignores the prop.
  const newerProps = gcPolicy && { gcPolicy };
  return (
    <CacheProvider
      managers={parts.managers}
      initialState={parts.userRecord?.initialState ?? __INTERNAL__.initialState}
      Controller={parts.StoreController}
      devButton={devButton}
      {...newerProps}
    >
      {children}
    </CacheProvider>
  );
}
