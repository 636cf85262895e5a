// Light or dark, in a frame with a story or a page in it, and in the frames of the stories on a page.
import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';

type Globals = Record<string, unknown>;
/** What a window with stories in it holds for scripts of its own origin. */
interface StorybookWindow {
  __STORYBOOK_PREVIEW__?: {
    storyStoreValue?: { userGlobals: { globals: Globals } };
    onUpdateGlobals(update: { globals: Globals }): Promise<void>;
  };
}

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: unknown;
let told = '';

/** Calls the listener when the theme changes. Returns the function that ends it. */
export function subscribeToTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The theme that is seen now. */
export function shownTheme(): 'light' | 'dark' {
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return prefersDark.matches ? 'dark' : 'light';
}

/** Colours of the system, like Canvas, follow the scheme of the root. */
export function showTheme(theme: 'light' | 'dark' = shownTheme()): void {
  document.documentElement.style.colorScheme = theme;
}

/** What is chosen on the page around this frame; nothing where this is no frame on a page of these docs. */
export function inheritedGlobals(): Globals {
  try {
    return (window.parent as StorybookWindow).__STORYBOOK_PREVIEW__?.storyStoreValue?.userGlobals.globals ?? {};
  } catch {
    // The frame stands on a page of another origin.
    return {};
  }
}

/** Storybook tells the frame of a page what is chosen, and not the frames on it. */
function tellFrames(globals: Globals): void {
  if (told === JSON.stringify(globals)) return;
  told = JSON.stringify(globals);
  for (const { contentWindow } of document.querySelectorAll<HTMLIFrameElement>('iframe[id^="iframe--"]'))
    void (contentWindow as StorybookWindow | null)?.__STORYBOOK_PREVIEW__?.onUpdateGlobals({ globals });
}

function change(): void {
  showTheme();
  for (const listener of listeners) listener();
}

prefersDark.addEventListener('change', change);

void addons.ready().then(channel => {
  const hear = ({ globals, userGlobals = globals }: { globals: Globals; userGlobals?: Globals }) => {
    chosen = globals.theme;
    change();
    tellFrames(userGlobals);
  };
  channel.on(SET_GLOBALS, hear);
  channel.on(GLOBALS_UPDATED, hear);
});
