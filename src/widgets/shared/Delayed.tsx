// Progress that appears only after a delay.
import { useEffect, useState, type CSSProperties, type ReactNode } from 'react';
import type { WidgetLabels } from '../labels/englishLabels.js';

/** Faster calls show no progress: text that appears for a moment only distracts. */
const PROGRESS_DELAY_MS = 300;

/** True when `isPending` has been true for 300 ms, until it is false. */
export function useDelayedFlag(isPending: boolean): boolean {
  const [isDelayOver, setDelayOver] = useState(false);
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setDelayOver(true), PROGRESS_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setDelayOver(false);
    };
  }, [isPending]);
  return isPending && isDelayOver;
}

/** Shows its children 300 ms after it was mounted. */
export function Delayed({ children }: { children: ReactNode }): ReactNode {
  return useDelayedFlag(true) ? children : null;
}

/** Announces a text of progress in a status region of the widget. */
export type Announce = (text: string) => void;

/** Announces a text when it is mounted. */
export function Announcement({ text, announce }: { text: string; announce: Announce }): null {
  useEffect(() => announce(text), [text, announce]);
  return null;
}

/** Says that what is shown here is on its way. */
export function LoadingText({ labels }: { labels: WidgetLabels }): ReactNode {
  return (
    <p className="dca-loading">
      <span>{labels.loading}</span>
    </p>
  );
}

/** A strip without height at the top of the visible part: it moves no other content and stays while the user scrolls. */
const STRIP: CSSProperties = {
  position: 'sticky',
  insetBlockStart: 0,
  blockSize: 0,
  margin: 0,
  zIndex: 1,
  textAlign: 'end',
  pointerEvents: 'none',
};
const TEXT: CSSProperties = {
  display: 'inline-block',
  paddingInline: '.5em',
  background: 'Canvas',
  color: 'CanvasText',
};

interface UpdatingNoteProps {
  isPlaceholderData: boolean;
  labels: WidgetLabels;
  announce: Announce;
}

/** Says that the content below is previous data and newer data is loading. */
export function UpdatingNote({ isPlaceholderData, labels, announce }: UpdatingNoteProps): ReactNode {
  const isShown = useDelayedFlag(isPlaceholderData);
  if (!isShown) return null;
  return (
    <p className="dca-updating" style={STRIP}>
      <span style={TEXT}>{labels.updating}</span>
      <Announcement text={labels.updating} announce={announce} />
    </p>
  );
}
