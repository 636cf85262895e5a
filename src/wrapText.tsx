import { cloneElement, createElement, Fragment, isValidElement, type PropsWithChildren, type ReactNode } from 'react';

/**
 * Puts an element around bare text of the app. A browser that translates the page puts other nodes in the place of text nodes, and React
 * cannot remove such a text, or insert an element before it, while the element around it stays.
 */
export function wrapText(content: ReactNode): ReactNode {
  if (isValidElement<PropsWithChildren>(content))
    return content.type === Fragment ? cloneElement(content, undefined, wrapText(content.props.children)) : content;
  if (isText(content)) return wrapTexts([content]);
  if (!Array.isArray(content)) return content;
  const children = content as readonly ReactNode[];
  // Each child keeps its position, by which React knows it. Texts that follow each other are one text for the reader.
  const wrapped = children.map((child, index) => {
    if (!isText(child)) return wrapText(child);
    if (index > 0 && isText(children[index - 1])) return null;
    const end = children.findIndex((next, at) => at > index && !isText(next));
    return wrapTexts(children.slice(index, end < 0 ? undefined : end) as readonly Text[]);
  });
  return createElement(Fragment, null, ...wrapped);
}

type Text = Exclude<ReactNode, object>;

const isText = (node: ReactNode): node is Text => Object(node) !== node;

function wrapTexts(texts: readonly Text[]): ReactNode {
  const text = texts.filter(node => typeof node !== 'boolean').join('');
  return text ? <span>{text}</span> : texts[0];
}
