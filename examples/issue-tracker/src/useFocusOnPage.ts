import { useEffect, useRef, type Ref } from 'react';
import { useLocation } from 'react-router';

/**
 * Focuses the new page after a navigation whose link or form is gone with the old page, as after a sign-in. Without it, a screen reader
 * says nothing, and the keyboard starts again at the top of the document. It does not scroll: the list keeps its own place.
 */
export function useFocusOnPage(): Ref<HTMLElement> {
  const page = useRef<HTMLElement>(null);
  const { pathname, key } = useLocation();
  // React Router names the location with which the document was opened.
  const isFirst = key === 'default';
  useEffect(() => {
    if (!isFirst && document.activeElement === document.body) page.current?.focus({ preventScroll: true });
  }, [pathname, isFirst]);
  return page;
}
