/** @jsxRuntime classic */
import React, { useSyncExternalStore } from 'react';
import { styled } from 'storybook/theming';
import type { PanelStore } from './createPanelStore.js';

const Count = styled.span({ marginInlineStart: 6, fontVariantNumeric: 'tabular-nums' });

/** The panel's tab, with the number of requests. */
export function PanelTitle({ store }: { store: PanelStore }) {
  const { rows } = useSyncExternalStore(store.subscribe, store.getState);
  return (
    <span>
      Requests
      {rows.length > 0 && <Count>{rows.length}</Count>}
    </span>
  );
}
