import { getDefaultManagers, LogoutManager } from '@data-client/react';
import { setAuthToken } from './authToken.js';

export function createManagers() {
  const logoutManager = new LogoutManager({
    handleLogout(controller) {
      // First the credential, so that nothing is asked for again with what was refused; then the data.
      setAuthToken(undefined);
      void controller.resetEntireStore();
    },
  });
  return [logoutManager, ...getDefaultManagers()];
}
