/**
 * Whether a dialog around the element has the focus itself: it was opened before there was an input. Firefox does that with a `<dialog>`,
 * and libraries do the same with an element that has `role="dialog"`.
 */
export function isFocusOnDialogAround(element: HTMLElement | null): boolean {
  const focused = element?.ownerDocument.activeElement;
  // Not `element.closest`: a form may have a field named `closest`.
  return !!focused?.matches('dialog, [role="dialog"], [role="alertdialog"]') && focused.contains(element);
}
