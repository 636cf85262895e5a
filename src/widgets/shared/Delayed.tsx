import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import type { WidgetLabels } from '../labels/WidgetLabels.js';

/** Shows its children 300 ms after it was mounted; at once, where they are on the screen already. */
export function Delayed({ immediate = false, children }: { immediate?: boolean; children: ReactNode }): ReactNode {
  const showsPending = useDelayedFlag(!immediate);
  return showsPending || immediate ? children : null;
}

/** What is over sooner shows no progress: a note that comes and goes within the blink of an eye only disturbs. */
const PROGRESS_AFTER_MS = 300;

/** True from 300 ms after something has begun until it ends. */
export function useDelayedFlag(isUnderWay: boolean): boolean {
  const [showsPending, setShowsPending] = useState(false);
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setTimeout(() => setShowsPending(true), PROGRESS_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setShowsPending(false);
    };
  }, [isUnderWay]);
  return isUnderWay && showsPending;
}

/** A note without height at the upper edge of what is seen: it moves nothing, and scrolls away with nothing. */
const STRIP: CSSProperties = { position: 'sticky', insetBlockStart: 0, blockSize: 0, margin: 0, zIndex: 1, textAlign: 'end', pointerEvents: 'none' };
const TEXT: CSSProperties = { display: 'inline-block', paddingInline: '.5em', background: 'Canvas', color: 'CanvasText' };

/** Says that what is below is old and something newer is on its way, when that takes longer than 300 ms. */
export function UpdatingNote({ isPlaceholderData, labels }: { isPlaceholderData: boolean; labels: WidgetLabels }): ReactNode {
  const showsPending = useDelayedFlag(isPlaceholderData);
  if (!showsPending) return null;
  return (
    <p role="status" className="dca-updating" style={STRIP}>
      <span style={TEXT}>{labels.updating}</span>
    </p>
  );
}
