/** What the element scrolls in: its nearest ancestor that scrolls its overflow and has some, else the window. */
export function scrollerOf(element: Element): HTMLElement | Window {
  const { body, documentElement } = document;
  for (let above = element.parentElement; above && above !== body && above !== documentElement; above = above.parentElement) {
    if (/^(auto|scroll|overlay)$/.test(getComputedStyle(above).overflowY) && above.scrollHeight > above.clientHeight) return above;
  }
  return window;
}

/** How far below the start of what scrolls the element begins, wherever that has been scrolled to. */
export function offsetIn(scroller: HTMLElement | Window, element: Element): number {
  const { top } = element.getBoundingClientRect();
  return scroller instanceof HTMLElement ? top - scroller.getBoundingClientRect().top - scroller.clientTop + scroller.scrollTop : top + scroller.scrollY;
}
