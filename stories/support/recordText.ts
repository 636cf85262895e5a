/** Records the text of an element after each change, also while it is hidden, until `stop`. */
export function recordText(element: HTMLElement) {
  const texts = [element.textContent];
  const observer = new MutationObserver(() => texts.push(element.textContent));
  observer.observe(element, { subtree: true, childList: true, characterData: true });
  return {
    /** The texts from the first one with this word on; an empty array if none has it. */
    since(word: string) {
      const first = texts.findIndex(text => text.includes(word));
      return first < 0 ? [] : texts.slice(first);
    },
    stop: () => observer.disconnect(),
  };
}
