import { useEffect, useRef } from 'react';
import { isDevelopment } from '../isDevelopment.js';

const NEW_SESSIONS =
  'data-client-auth: A provider has got another session twice, as when a component makes one at each render, or hot updates load its module again: tokens in memory are lost, and everything below is mounted again. Make the session once, outside of components. If you change sessions on purpose, give the provider a `key`.';

/** Warns in development when the session of a provider changes a second time. The first time may be a hot update of its module. */
export const useSessionChangeWarning = isDevelopment ? useWarning : () => {};

function useWarning(session: object): void {
  const seen = useRef({ session, changes: 0 });
  useEffect(() => {
    if (seen.current.session === session) return;
    seen.current = { session, changes: seen.current.changes + 1 };
    if (seen.current.changes === 2) console.warn(NEW_SESSIONS);
  }, [session]);
}
