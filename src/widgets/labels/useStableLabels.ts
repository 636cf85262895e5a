import { useContext, useRef } from 'react';
import { labelsWith } from './labels.js';
import { LabelsContext } from './LabelsContext.js';
import type { WidgetLabels } from './WidgetLabels.js';

/** The widget's words as the same object while they are the same words, however the prop was written: rows below see no change. */
export function useStableLabels(given: Partial<WidgetLabels> | undefined): WidgetLabels {
  const held = useRef<WidgetLabels>(undefined);
  const labels = labelsWith(useContext(LabelsContext), given);
  const names = Object.keys(labels) as (keyof WidgetLabels)[];
  // A cache that changes no result: equal words give the equal object.
  if (!held.current || names.some(name => held.current?.[name] !== labels[name])) held.current = labels;
  return held.current;
}
