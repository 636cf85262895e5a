import type { RefObject } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';

/**
 * Keeps the keyboard's place: when the element that has the focus leaves the page with this render, `next` tells which one
 * gets it. Looked at before each paint.
 */
export function useRestoreFocus(region: RefObject<HTMLElement | null>, next: (index: number) => HTMLElement | null | undefined): void {
  const focused = typeof document === 'undefined' ? null : document.activeElement;
  const wasInside = focused !== null && (region.current?.contains(focused) ?? false);
  // The place among the children is asked before the render is committed: afterwards it is gone.
  const index = wasInside ? [...(region.current?.children ?? [])].findIndex(child => child.contains(focused)) : -1;

  useBeforePaint(() => {
    // A closer keeper may have found it a place already.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (wasInside && !focused.isConnected && isLost) next(index)?.focus();
  });
}
