/** Remembers what an element said, hidden or not, after every mutation below it, until it is stopped. */
export function recordText(element: HTMLElement) {
  const texts = [element.textContent];
  const observer = new MutationObserver(() => texts.push(element.textContent));
  observer.observe(element, { subtree: true, childList: true, characterData: true });
  return {
    /** All that was said from the first time on that this word stood there; nothing if it never did. */
    since(word: string) {
      const first = texts.findIndex(text => text.includes(word));
      return first < 0 ? [] : texts.slice(first);
    },
    stop: () => observer.disconnect(),
  };
}
