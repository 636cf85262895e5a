// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { Children, createElement, Fragment, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { wrapText } from '../../src/wrapText.js';

const { content } = fc.letrec<{ content: ReactNode; children: ReactNode[] }>(tie => ({
  content: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<ReactNode>('text', ' ', 7, '', null, undefined, true, false, <b />, <b>inside</b>),
    tie('children').map(children => createElement(Fragment, null, ...children)),
    tie('children').map(children => Children.toArray(children)),
  ),
  children: fc.array(tie('content'), { maxLength: 5 }),
}));

const rendered = (shown: ReactNode) => render(<div>{shown}</div>).container.firstElementChild!;

test('no text is bare, and all content is there, in its order', () =>
  fc.assert(
    fc
      .property(content, shown => {
        const plain = rendered(shown);
        const wrapped = rendered(wrapText(shown));
        expect([...wrapped.childNodes].filter(node => node.nodeType === Node.TEXT_NODE)).toEqual([]);
        expect(wrapped.innerHTML.replace(/<\/?span>/g, '')).toBe(plain.innerHTML);
        expect(wrapped.innerHTML).not.toContain('<span></span>');
      })
      .afterEach(cleanup),
  ));

test('texts that follow each other have one element, and an element stays when a text before it comes', () => {
  const content = (count?: number) => (
    <div>
      {wrapText(
        <>
          {count} {count && 'articles'} <b />
        </>,
      )}
    </div>
  );
  const { container, rerender } = render(content());
  const element = container.querySelector('b');
  rerender(content(3));
  expect(container.innerHTML).toBe('<div><span>3 articles </span><b></b></div>');
  expect(container.querySelector('b')).toBe(element);
  cleanup();
});
