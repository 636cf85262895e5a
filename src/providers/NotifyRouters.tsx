import { useEffect } from 'react';
import type { SessionCore } from '../session/extension.js';

/**
 * Dispatches `popstate` after a change of identity, so that the routers of the remounted tree read the URL again.
 *
 * Code of the previous tree (`await logout(); navigate('/bye')`) continues with the router of that tree. This unmounted
 * router changes the address, and the new router does not notice. So this component dispatches a `popstate` event, like
 * the back button, when no login or logout is pending and their callers have continued. For a router that has already
 * navigated, the URL is not new. A data router runs the loaders of that page again.
 *
 * Render it after the tree, so that its effect runs after the tree's own redirects.
 */
export function NotifyRouters({ session }: { session: SessionCore }) {
  useEffect(() => {
    const address = location.href;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    const notify = () => {
      if (location.href !== address)
        window.dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
    };
    void session.authCallsSettled().then(() => {
      if (isMounted) timer = setTimeout(notify);
    });
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [session]);
  return null;
}
