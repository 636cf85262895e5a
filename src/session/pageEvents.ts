export interface PageEvents {
  /** The browser shows a page that it kept frozen (back/forward cache) or prerendered. */
  readonly onShownAgain: () => void;
  /** The user comes back to the page from another tab, window or program. */
  readonly onFocus?: (() => void) | undefined;
}

/**
 * Calls back when the page is shown or focused again. Returns the function that stops it. Servers have no such events.
 *
 * It listens in the capture phase: the session acts before the page's own listeners send anything.
 *
 * @see https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-pagetransitionevent-interface
 */
export function listenToPage({ onShownAgain, onFocus }: PageEvents): () => void {
  const page = globalThis.document as Document | undefined;
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) onShownAgain();
  };
  const onVisibilityChange = () => {
    if (page?.visibilityState === 'visible') onFocus?.();
  };
  const onWindowFocus = ({ target, currentTarget }: Event) => {
    // In the capture phase, the window hears of each field that is focused, too.
    if (target === currentTarget) onFocus?.();
  };
  globalThis.addEventListener?.('pageshow', onPageShow, true);
  page?.addEventListener?.('prerenderingchange', onShownAgain, true);
  if (onFocus) {
    globalThis.addEventListener?.('focus', onWindowFocus, true);
    page?.addEventListener?.('visibilitychange', onVisibilityChange, true);
  }
  return () => {
    globalThis.removeEventListener?.('pageshow', onPageShow, true);
    if (onFocus) globalThis.removeEventListener?.('focus', onWindowFocus, true);
    page?.removeEventListener?.('prerenderingchange', onShownAgain, true);
    page?.removeEventListener?.('visibilitychange', onVisibilityChange, true);
  };
}
