import type { RefObject } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { getFocused } from './focus.js';

/**
 * When a render removes the focused element from the region, moves the focus to the element that `next` returns. `next` gets the index of
 * the region's child that held the focus, or -1. Checked before each paint.
 */
export function useRestoreFocus(
  region: RefObject<HTMLElement | null>,
  next: (index: number) => HTMLElement | null | undefined,
): void {
  // React Compiler, in an app that compiles its dependencies too, would cache which element has the focus.
  'use no memo';
  const focused = getFocused(region.current);
  const child = focused && childAround(focused, region.current);
  const wasInside = focused !== null && (child !== null || focused === region.current);
  // Read during render: after the commit the child is gone and has no index.
  const index = child ? indexAmongSiblings(child) : -1;

  useBeforePaint(() => {
    // A region inside this one may have moved the focus already.
    if (!wasInside || focused.isConnected) return;
    const { activeElement, body } = focused.ownerDocument;
    if (activeElement === null || activeElement === body) next(index)?.focus();
  });
}

/**
 * The child of the region that is or contains the element; null if none does. Reads nothing of the region, which may be a form: a field
 * named `children` or `contains` takes the place of the form's own property.
 */
function childAround(element: Element, region: Element | null): Element | null {
  let child: Element | null = element;
  while (child && child.parentElement !== region) child = child.parentElement;
  return region && child;
}

function indexAmongSiblings(child: Element): number {
  let index = 0;
  for (let before = child.previousElementSibling; before; before = before.previousElementSibling) index++;
  return index;
}
