import type { RefObject } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';

/**
 * When a render removes the focused element from the region, moves the focus to the element that `next` returns. `next` gets the index of
 * the region's child that held the focus, or -1. Checked before each paint.
 */
export function useRestoreFocus(
  region: RefObject<HTMLElement | null>,
  next: (index: number) => HTMLElement | null | undefined,
): void {
  const focused = typeof document === 'undefined' ? null : document.activeElement;
  const wasInside = focused !== null && (region.current?.contains(focused) ?? false);
  // Read during render: after the commit the child is gone and has no index.
  const index = wasInside ? [...(region.current?.children ?? [])].findIndex(child => child.contains(focused)) : -1;

  useBeforePaint(() => {
    // A region inside this one may have moved the focus already.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (wasInside && !focused.isConnected && isLost) next(index)?.focus();
  });
}
