/** Calls back when the page is used again after it was hidden, frozen or asleep. Returns the function that unsubscribes. */
export function listenToReturn(onReturn: () => void): () => void {
  const page = globalThis.document as Document | undefined;
  const onFocus = ({ target, currentTarget }: Event) => {
    // In the capture phase, the window also gets the focus events of all fields.
    if (target === currentTarget) onReturn();
  };
  const onVisibilityChange = () => {
    if (page?.visibilityState === 'visible') onReturn();
  };
  page?.addEventListener?.('visibilitychange', onVisibilityChange, true);
  page?.addEventListener?.('resume', onReturn, true);
  globalThis.addEventListener?.('pageshow', onReturn, true);
  globalThis.addEventListener?.('focus', onFocus, true);
  return () => {
    page?.removeEventListener?.('visibilitychange', onVisibilityChange, true);
    page?.removeEventListener?.('resume', onReturn, true);
    globalThis.removeEventListener?.('pageshow', onReturn, true);
    globalThis.removeEventListener?.('focus', onFocus, true);
  };
}
