import { useEffect, useRef } from 'react';
import { isDevelopment } from '../isDevelopment.js';
import { isMadeNow } from '../session/madeNow.js';

const NEW_SESSIONS =
  'data-client-auth: A provider has got another session, as when a component makes one at each render, or hot updates load its module again: tokens in memory are lost, and everything below is mounted again. Make the session once, outside of components. If you change sessions on purpose, give the provider a `key`.';

/**
 * Warns in development when the session of a provider changes: the first time if a component has made the new one during this render, else
 * the second time, because the first may be a hot update of its module.
 */
export const useSessionChangeWarning = isDevelopment ? useWarning : () => {};

function useWarning(session: object): void {
  const seen = useRef({ session, changes: 0, hasWarned: false });
  const isMadeInRender = isMadeNow(session);
  useEffect(() => {
    const { session: before, changes, hasWarned } = seen.current;
    if (before === session) return;
    const isMistake = isMadeInRender || changes > 0;
    seen.current = { session, changes: changes + 1, hasWarned: hasWarned || isMistake };
    if (isMistake && !hasWarned) console.warn(NEW_SESSIONS);
  }, [session, isMadeInRender]);
}
