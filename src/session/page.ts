/** Resolves when the user opens a page that the browser has prerendered; undefined on any other page. */
export function activation(): Promise<void> | undefined {
  const page = globalThis.document as (Document & { readonly prerendering?: boolean }) | undefined;
  if (page?.prerendering !== true) return undefined;
  return new Promise(resolve => {
    page.addEventListener('prerenderingchange', () => resolve(), { once: true, capture: true });
  });
}

export function isHidden(): boolean {
  return (globalThis.document as Document | undefined)?.visibilityState === 'hidden';
}

interface PageEvents {
  /** The browser puts the page into the back/forward cache. */
  readonly onFrozen: () => void;
  /** The browser shows a page that it kept frozen: the user may be another one by now. Called before the page paints. */
  readonly onShownAgain: () => void;
  /** The user comes back to the page from another tab, window or program. */
  readonly onFocus: () => void;
}

/**
 * Calls back when the page is shown or focused again. Returns what ends that.
 *
 * The session acts before the page's own listeners send something: a frozen page becomes visible before its `pageshow`, and listeners
 * of the document in the capture phase come first.
 *
 * @see https://html.spec.whatwg.org/multipage/browsing-the-web.html#reactivate-a-document
 */
export function listenToPage({ onFrozen, onShownAgain, onFocus }: PageEvents): () => void {
  const page = globalThis.document as Document | undefined;
  const target = globalThis as unknown as EventTarget;
  /** The page is in the back/forward cache, or just out of it. */
  let isFrozen = false;
  const thaw = () => {
    if (!isFrozen) return false;
    isFrozen = false;
    onShownAgain();
    return true;
  };
  const onPageHide = (event: Event) => {
    isFrozen = (event as PageTransitionEvent).persisted;
    if (isFrozen) onFrozen();
  };
  const onPageShow = () => void thaw();
  const onVisibilityChange = () => {
    if (!isHidden() && !thaw()) onFocus();
  };
  // In the capture phase, the window also gets the focus events of all fields.
  const onWindowFocus = ({ target, currentTarget }: Event) => {
    if (target === currentTarget) onFocus();
  };
  const listeners: readonly (readonly [Partial<EventTarget> | undefined, string, (event: Event) => void])[] = [
    [target, 'pagehide', onPageHide],
    [target, 'pageshow', onPageShow],
    [target, 'focus', onWindowFocus],
    [page, 'visibilitychange', onVisibilityChange],
  ];
  for (const [source, type, listener] of listeners) source?.addEventListener?.(type, listener, true);
  return () => {
    for (const [source, type, listener] of listeners) source?.removeEventListener?.(type, listener, true);
  };
}

/** Returns true if the browser went back or forward to this page: its document may come from a cache. */
export function isHistoryNavigation(): boolean {
  const [navigation] = globalThis.performance?.getEntriesByType?.('navigation') ?? [];
  return (navigation as { type?: unknown } | undefined)?.type === 'back_forward';
}
