import type { CSSProperties, ReactNode } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useLate } from './useLate.js';

/** A note without height at the upper edge of what is seen: it moves nothing, and scrolls away with nothing. */
const STRIP: CSSProperties = { position: 'sticky', insetBlockStart: 0, blockSize: 0, margin: 0, zIndex: 1, textAlign: 'end', pointerEvents: 'none' };
const TEXT: CSSProperties = { display: 'inline-block', paddingInline: '.5em', background: 'Canvas', color: 'CanvasText' };

/** Says that what is below is old and something newer is on its way, when that takes longer than 300 ms. */
export function UpdatingNote({ isOld, labels }: { isOld: boolean; labels: WidgetLabels }): ReactNode {
  const isLate = useLate(isOld);
  if (!isLate) return null;
  return (
    <p role="status" className="dca-updating" style={STRIP}>
      <span style={TEXT}>{labels.updating}</span>
    </p>
  );
}
