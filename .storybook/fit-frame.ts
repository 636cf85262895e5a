// On a docs page each example has a frame. Its height follows the content; the declared height reserves the place until then.

/** A frame grows at once, and shrinks when its content has been smaller for this time: a list is empty while it loads. */
const SHRINK_DELAY_MS = 500;

/** Space above and below a modal dialog. */
const DIALOG_MARGIN_PX = 48;

/** A height with fractions needs the next whole pixel, or the frame scrolls. */
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
  let shrinking: ReturnType<typeof setTimeout> | undefined;
  const fit = () => {
    clearTimeout(shrinking);
    const height = contentHeight();
    const set = () => (story.style.height = `${height}px`);
    if (height > story.clientHeight) set();
    else shrinking = setTimeout(set, SHRINK_DELAY_MS);
  };
  new ResizeObserver(fit).observe(document.body);
  // A dialog is not part of the body's height.
  document.addEventListener('toggle', fit, true);
}
