export interface PageEvents {
  /** The browser puts the page into the back/forward cache. */
  readonly onFrozen: () => void;
  /** The browser shows a page that it kept frozen (back/forward cache) or prerendered. */
  readonly onShownAgain: () => void;
  /** The user comes back to the page from another tab, window or program. */
  readonly onFocus?: (() => void) | undefined;
  /** The user leaves the page for another tab, window or program. */
  readonly onBlur?: (() => void) | undefined;
}

/**
 * Calls back when the page is shown or focused again. Returns the function that unsubscribes. Does nothing on a server.
 *
 * The session should act before the page's own listeners send anything. For document events, the capture phase puts the
 * session first. For window events (`pageshow`, `focus`), only the order of registration counts. So a page from the
 * back/forward cache is noticed by `visibilitychange`, which comes before `pageshow`; for `focus`, see `Recheck`.
 *
 * @see https://html.spec.whatwg.org/multipage/browsing-the-web.html#reactivate-a-document
 */
export function listenToPage({ onFrozen, onShownAgain, onFocus, onBlur }: PageEvents): () => void {
  const page = globalThis.document as Document | undefined;
  let isFrozen = false;
  let hasStartedOver = false;
  const onPageHide = ({ persisted }: PageTransitionEvent) => {
    isFrozen = persisted;
    if (persisted) onFrozen();
  };
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    const needsRestart = persisted && !hasStartedOver;
    isFrozen = hasStartedOver = false;
    if (needsRestart) onShownAgain();
  };
  const onVisibilityChange = () => {
    if (page?.visibilityState !== 'visible') return;
    if (!isFrozen) return onFocus?.();
    isFrozen = false;
    hasStartedOver = true;
    onShownAgain();
  };
  const onWindowFocus = ({ target, currentTarget }: Event) => {
    // In the capture phase, the window also gets the focus events of all fields.
    if (target === currentTarget) onFocus?.();
  };
  const onWindowBlur = ({ target, currentTarget }: Event) => {
    if (target === currentTarget) onBlur?.();
  };
  globalThis.addEventListener?.('pagehide', onPageHide, true);
  globalThis.addEventListener?.('pageshow', onPageShow, true);
  page?.addEventListener?.('visibilitychange', onVisibilityChange, true);
  page?.addEventListener?.('prerenderingchange', onShownAgain, true);
  if (onFocus) {
    globalThis.addEventListener?.('focus', onWindowFocus, true);
    globalThis.addEventListener?.('blur', onWindowBlur, true);
  }
  return () => {
    globalThis.removeEventListener?.('pagehide', onPageHide, true);
    globalThis.removeEventListener?.('pageshow', onPageShow, true);
    page?.removeEventListener?.('visibilitychange', onVisibilityChange, true);
    page?.removeEventListener?.('prerenderingchange', onShownAgain, true);
    if (onFocus) {
      globalThis.removeEventListener?.('focus', onWindowFocus, true);
      globalThis.removeEventListener?.('blur', onWindowBlur, true);
    }
  };
}

/** Returns true if the browser went back or forward to this page: its document may come from a cache. */
export function isHistoryNavigation(): boolean {
  const [navigation] = globalThis.performance?.getEntriesByType?.('navigation') ?? [];
  return (navigation as { type?: unknown } | undefined)?.type === 'back_forward';
}
