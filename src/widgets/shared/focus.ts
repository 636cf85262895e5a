/** The focused element, seen from this one: inside a shadow root, the document would name its host only. Null where nothing has the focus. */
export function getFocused(from: Element | null): Element | null {
  if (!from) return null;
  const { activeElement, body } = from.ownerDocument;
  const focused = (from.getRootNode() as Partial<ShadowRoot>).activeElement ?? activeElement;
  return focused === body ? null : focused;
}

/** The parent of an element on the screen: through slots, and out of shadow roots. */
export function getParent(element: Element): HTMLElement | null {
  const { host } = element.getRootNode() as Partial<ShadowRoot>;
  return (element.assignedSlot ?? element.parentElement ?? host ?? null) as HTMLElement | null;
}

/**
 * Whether a dialog around the element has the focus itself: it was opened before there was an input. Firefox does that with a `<dialog>`,
 * and libraries do the same with an element that has `role="dialog"`.
 */
export function isFocusOnDialogAround(element: HTMLElement | null): boolean {
  // Not `element.closest`: a form may have a field named `closest`.
  for (let around = element && getParent(element); around; around = getParent(around))
    if (around.matches('dialog, [role="dialog"], [role="alertdialog"]')) return getFocused(around) === around;
  return false;
}
