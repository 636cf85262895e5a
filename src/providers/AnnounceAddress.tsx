import { useEffect } from 'react';
import type { SessionCore } from '../session/core.js';

/**
 * Makes the routers of a remounted tree read the address again after a change of identity.
 *
 * Code of the previous tree (`await logout(); navigate('/bye')`) continues with the router of that tree. This unmounted router
 * changes the address, and the new router does not notice. So this component dispatches a `popstate` event, like the back button,
 * when no login or logout is pending and their callers have continued. A router that has already navigated finds the address that
 * it knows. A data router runs the loaders of that page again.
 *
 * Render it after the tree, so that its effect runs after the tree's own redirects.
 */
export function AnnounceAddress({ session }: { session: SessionCore }) {
  useEffect(() => {
    const address = location.href;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    const announce = () => {
      if (location.href !== address)
        window.dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
    };
    void session.authCallsSettled().then(() => {
      if (isMounted) timer = setTimeout(announce);
    });
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [session]);
  return null;
}
