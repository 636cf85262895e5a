import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router';

/**
 * Focuses the new page after a navigation whose link is gone with the old page. Without it, a screen reader says nothing, and the
 * keyboard starts again at the top of the document. It does not scroll: the list keeps its own place.
 */
export function useFocusOnPage(): RefObject<HTMLElement> {
  const page = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (document.activeElement === document.body) page.current?.focus({ preventScroll: true });
  }, [pathname]);
  return page;
}
