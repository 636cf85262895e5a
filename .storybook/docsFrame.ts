// A story in a frame of a docs page is played beside a text that somebody reads: when it is seen, without moving the page, and it gives
// the focus back.
import { STORY_FINISHED } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';

/** As much of the frame has to be seen. */
const ENOUGH = 0.3;

/** The frame of this story in a docs page, if it is in one. */
const frame =
  new URLSearchParams(window.frameElement ? parent.location.search : '').get('viewMode') === 'docs'
    ? (window.frameElement as HTMLElement)
    : null;

let reader: HTMLElement | null = null;

/** Waits until the reader sees the story, or has left it. */
export async function isSeen(left: AbortSignal): Promise<void> {
  if (!frame) return;
  await new Promise<void>(resolve => {
    const observer = new IntersectionObserver(
      entries => entries.some(({ isIntersecting }) => isIntersecting) && end(),
      { threshold: ENOUGH },
    );
    const end = () => {
      observer.disconnect();
      resolve();
    };
    observer.observe(frame);
    left.addEventListener('abort', end, { once: true });
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
  const { focus } = HTMLElement.prototype;
  // As it is, it scrolls every page around the element; so, the frame alone.
  HTMLElement.prototype.focus = function (options) {
    focus.call(this, { ...options, preventScroll: true });
    if (options?.preventScroll) return;
    const { top, bottom } = this.getBoundingClientRect();
    scrollBy(0, Math.min(top, Math.max(0, bottom - innerHeight)));
  };
  // Who clicks or types in the story has come to it.
  for (const act of ['pointerdown', 'keydown'])
    addEventListener(act, ({ isTrusted }) => isTrusted && (reader = null), true);
  void addons.ready().then(channel => channel.on(STORY_FINISHED, giveFocusBack));
}
