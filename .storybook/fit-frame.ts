// On a docs page each example has a frame, which is as high as its content, and at least as high as its story declares. Without this
// minimum, the frame would shrink while the example loads, and the text of the page would move.

/** Space above and below a modal dialog. */
const DIALOG_MARGIN_PX = 48;

/** Rounded up, because a frame that is a fraction of a pixel too low scrolls. */
const heightOf = (element: Element) => Math.ceil(element.getBoundingClientRect().height);

function contentHeight(): number {
  const dialogs = [...document.querySelectorAll('dialog[open]')].map(({ scrollHeight }) => scrollHeight);
  return Math.max(heightOf(document.body), ...dialogs.map(height => height + DIALOG_MARGIN_PX));
}

let isFitted = false;

/** Keeps this frame as high as its content, from now on. Storybook reuses the frame when the story starts again. */
export function fitFrame(): void {
  const story = window.frameElement?.closest('[data-story-block]')?.firstElementChild as HTMLElement | null | undefined;
  if (!story || isFitted) return;
  isFitted = true;
  const declaredHeight = story.clientHeight;
  const fit = () => (story.style.height = `${Math.max(contentHeight(), declaredHeight)}px`);
  new ResizeObserver(fit).observe(document.body);
  // A dialog is not part of the body's height.
  document.addEventListener('toggle', fit, true);
}
