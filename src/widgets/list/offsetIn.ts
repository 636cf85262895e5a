/** How far below the start of what scrolls the element begins, wherever that has been scrolled to. */
export function offsetIn(scroller: HTMLElement | Window, element: Element): number {
  const { top } = element.getBoundingClientRect();
  if (!(scroller instanceof HTMLElement)) return top + scroller.scrollY;
  return top - scroller.getBoundingClientRect().top - scroller.clientTop + scroller.scrollTop;
}
