import { __INTERNAL__, type Manager } from '@data-client/react';
import { vi } from 'vitest';
import { storeControllerClass } from '../../../src/dataClient/storeController.js';
import { storeManagers } from '../../../src/dataClient/storeManagers.js';
import { HostedManagers, type CreateManagers } from '../../../src/dataClient/HostedManagers.js';
import {
  connectManagers,
  type StoreAction,
  type StoreDispatch,
  type StoreManager,
} from '../../../src/dataClient/connectManagers.js';
import type { SessionCore } from '../../../src/session/extension.js';

/** The store of now, as data-client's provider renders it: its managers are connected, and started by `mount`. */
export function renderStore(session: SessionCore, createManagers?: CreateManagers) {
  const managers: Manager[] = storeManagers(session, createManagers && new HostedManagers(session, createManagers));
  const StoreController = storeControllerClass(session.getStoreGenerationSignal());
  const controller = new StoreController();
  const reducer = vi.fn<StoreDispatch>(() => Promise.resolve());
  let isUnmounted = false;
  const connect = () => {
    let chain: StoreDispatch = reducer;
    // data-client's own dispatch does nothing between an unmount and the next mount.
    const dispatch: StoreDispatch = action => (isUnmounted ? Promise.resolve() : chain(action));
    Object.assign(controller, { dispatch, getState: () => __INTERNAL__.initialState });
    chain = connectManagers(managers as readonly StoreManager[], controller, reducer);
  };
  connect();
  const dispatch = (action: StoreAction) => (controller as unknown as { dispatch: StoreDispatch }).dispatch(action);
  return {
    controller,
    dispatch,
    /** The actions that reached the reducer. */
    reduced: () => reducer.mock.calls.map(([{ type }]) => type),
    /** StrictMode connects the managers of one store several times. */
    connect,
    mount: () => {
      isUnmounted = false;
      managers.forEach(manager => manager.init?.(__INTERNAL__.initialState));
    },
    unmount: () => {
      isUnmounted = true;
      managers.forEach(manager => manager.cleanup());
    },
  };
}
