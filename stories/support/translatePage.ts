const notTranslated = 'font, script, style, textarea, option, title';

/** Does to the text nodes of the page what a browser's translator does, also to those that come later. Returns a function that ends it. */
export function translatePage(root: HTMLElement): () => void {
  const translate = (node: Node) => {
    const texts = document.createNodeIterator(node, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!text.nodeValue?.trim() || text.parentElement?.closest(notTranslated)) continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      outer.append(inner);
      (text as Text).replaceWith(outer);
      inner.textContent = text.nodeValue;
    }
  };
  const observer = new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(translate)));
  observer.observe(root, { childList: true, subtree: true });
  translate(root);
  return () => observer.disconnect();
}
