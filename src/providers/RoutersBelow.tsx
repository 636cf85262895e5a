import { useEffect, useState, type ReactNode } from 'react';
import type { SessionCore } from '../session/core.js';
import { useBeforePaint } from './useBeforePaint.js';

/**
 * Tells the routers that were mounted with this tree of an address that changed behind their backs.
 *
 * Code that was started on the tree before (`await logout(); navigate('/bye')`) goes on with the router of then. That one is gone: it
 * changes the address, and the router mounted since hears nothing of it. So when no login or logout is under way any more,
 * and their callers have gone on, the routers below get the `popstate` that has them read the address again.
 *
 * Nobody else gets it: a router above, or one made outside React, is alive and has moved by itself.
 */
export function RoutersBelow({ session, children }: { session: SessionCore; children: ReactNode }) {
  const [routers] = useState(() => new EventTarget());
  const [overhearing] = useState(() => overhear(routers));

  useEffect(() => {
    // The tree's own redirects are done by now.
    const address = location.href;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    const tell = () => {
      if (location.href !== address) routers.dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
    };
    void session.authCallsSettled().then(() => {
      if (isMounted) timer = setTimeout(tell);
    });
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [session, routers]);

  return (
    <>
      <AtMount run={overhearing.start} />
      {children}
      <AtMount run={overhearing.stop} />
    </>
  );
}

/** Effects run in the order of the tree: what stands between two of these runs its own between theirs. */
function AtMount({ run }: { run: () => void }) {
  useBeforePaint(run, [run]);
  useEffect(run, [run]);
  return null;
}

/** Between `start` and `stop`, both within one turn of React, whoever begins to listen to the window's `popstate` joins `target` too. */
function overhear(target: EventTarget): { start: () => void; stop: () => void } {
  let own: PropertyDescriptor | undefined;
  return {
    start() {
      const { addEventListener } = window;
      own = Object.getOwnPropertyDescriptor(window, 'addEventListener');
      window.addEventListener = (...args: Parameters<typeof addEventListener>) => {
        addEventListener.apply(window, args);
        if (args[0] === 'popstate') target.addEventListener(...args);
      };
    },
    stop() {
      if (own) Object.defineProperty(window, 'addEventListener', own);
      else Reflect.deleteProperty(window, 'addEventListener');
    },
  };
}
