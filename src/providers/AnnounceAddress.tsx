import { useEffect } from 'react';
import type { SessionCore } from '../session/core.js';

/**
 * Makes the routers of a tree that was mounted when an identity was left read the address again.
 *
 * Code that started on the tree before (`await logout(); navigate('/bye')`) goes on with the router of that tree. That router is gone: it
 * changes the address, and the router mounted since does not notice. So when no login or logout is under way any more, and their
 * callers have gone on, the window gets a `popstate`, as after the back button. Routers that have moved themselves find the address that
 * they know; a data router runs the loaders of that page once more.
 *
 * Place it after the tree, so that its effect runs after the tree's own redirects.
 */
export function AnnounceAddress({ session }: { session: SessionCore }) {
  useEffect(() => {
    const address = location.href;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    const announce = () => {
      if (location.href !== address) window.dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
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
