// A story in a frame of a docs page is played beside a text that somebody reads. It waits until it can be seen, as whatever its play
// moves the focus to is scrolled into view, and it gives the focus back.
import { STORY_FINISHED } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';

/** As much of the frame, or where that is too tall of the window, has to be seen. */
const ENOUGH = 0.9;

/** The frame of this story in a docs page, if it is in one. */
const frame = new URLSearchParams(window.frameElement ? parent.location.search : '').get('viewMode') === 'docs' ? (window.frameElement as HTMLElement) : null;

let reader: HTMLElement | null = null;

/** Waits until the reader sees the story, or has left it. */
export async function isSeen(left: AbortSignal): Promise<void> {
  if (!frame) return;
  await new Promise<void>(resolve => {
    const observer = new IntersectionObserver(
      entries => {
        const { intersectionRatio, intersectionRect, rootBounds } = entries.at(-1)!;
        if (intersectionRatio >= ENOUGH || intersectionRect.height >= ENOUGH * (rootBounds?.height ?? Infinity)) resolve();
      },
      { threshold: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, ENOUGH] },
    );
    observer.observe(frame);
    left.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Remembers what has the reader's focus. */
export function rememberFocus(): void {
  if (frame) reader = focused(outermost());
}

function giveFocusBack(): void {
  if (!frame || !reader || focused(outermost())?.ownerDocument !== document) return;
  frame.blur();
  reader.focus({ preventScroll: true });
}

/** The document of the outermost page that this one may look into. */
function outermost(): Document {
  let page: Window = window;
  while (page.frameElement) page = page.parent;
  return page.document;
}

/** What has the focus, in whichever frame of the document it is. */
function focused({ activeElement }: Document): HTMLElement | null {
  const inner = (activeElement as Partial<HTMLIFrameElement> | null)?.contentDocument;
  return inner ? focused(inner) : (activeElement as HTMLElement | null);
}

if (frame) {
  // Who clicks or types in the story has come to it.
  for (const act of ['pointerdown', 'keydown']) addEventListener(act, ({ isTrusted }) => isTrusted && (reader = null), true);
  void addons.ready().then(channel => channel.on(STORY_FINISHED, giveFocusBack));
}
