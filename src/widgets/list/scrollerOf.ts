/** What the element scrolls in: its nearest ancestor that scrolls its overflow and has some, else the window. */
export function scrollerOf(element: Element): HTMLElement | Window {
  const { body, documentElement } = document;
  for (let above = element.parentElement; above && above !== body && above !== documentElement; above = above.parentElement) {
    if (/^(auto|scroll|overlay)$/.test(getComputedStyle(above).overflowY) && above.scrollHeight > above.clientHeight) return above;
  }
  return window;
}
