import { useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Renders its children into an `<iframe>` by a portal. `scrolls`: an element in it scrolls, not its window. */
export function InFrame({ scrolls, children }: { scrolls: boolean; children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const open = (frame: HTMLIFrameElement | null) => {
    if (!frame || place) return;
    const opened = frame.contentDocument!.createElement('main');
    opened.style.cssText = scrolls ? 'block-size: 300px; overflow-y: auto' : '';
    frame.contentDocument!.body.append(opened);
    setPlace(opened);
  };
  return (
    <>
      <iframe ref={open} title="Other document" style={{ inlineSize: '600px', blockSize: '400px' }} />
      {place && createPortal(children, place)}
    </>
  );
}

/** Renders the page into a shadow root, in an element outside that scrolls. */
export function InShadowRoot({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const open = (host: HTMLElement | null) => {
    if (!host || place) return;
    const opened = document.createElement('div');
    host.attachShadow({ mode: 'open' }).append(opened);
    setPlace(opened);
  };
  return (
    <div id="outer" style={{ blockSize: '300px', overflowY: 'auto' }}>
      <div ref={open} />
      {place && createPortal(children, place)}
    </div>
  );
}
